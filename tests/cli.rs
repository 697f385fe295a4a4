//! The program as users see it: the binary, its files, its output and its exit codes.

mod endings;
mod games;
mod growth;
mod installed;
mod komi;
mod learning;
mod matches;
mod mistakes;
mod nmbr9;
mod output;
mod paper;
mod people;
mod program;
mod puzzles;
mod ratings;
mod reports;
mod safety;
mod scale;
mod shards;
mod sweeps;
mod thoughts;
mod tournaments;
mod tuning;
mod variants;
mod web;
mod widths;
