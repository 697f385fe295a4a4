-- The tournament: one row. `notes` and `tags` are the user's; the other columns but the last are parts of the manifest.
CREATE TABLE tournament (
    manifest TEXT NOT NULL, -- what is played: the plan with every agent's settings, the earlier agents and the descriptions, as JSON
    notes TEXT NOT NULL DEFAULT '', -- free text of the user; the program only keeps it
    tags TEXT NOT NULL DEFAULT '', -- words of the user; the program only keeps them
    name TEXT GENERATED ALWAYS AS (json_extract(manifest, '$.name')) VIRTUAL, -- name in the tournament's file
    version TEXT GENERATED ALWAYS AS (json_extract(manifest, '$.version')) VIRTUAL, -- version of the program that began the tournament, such as `0.3.0`
    play TEXT GENERATED ALWAYS AS (json_extract(manifest, '$.play')) VIRTUAL, -- version of play: 16 hexadecimal digits, which `bench` prints
    plan TEXT GENERATED ALWAYS AS (json_extract(manifest, '$.plan')) VIRTUAL, -- the plan, as JSON
    plan_hash TEXT GENERATED ALWAYS AS (json_extract(manifest, '$.plan_hash')) VIRTUAL, -- hash of the plan: 16 hexadecimal digits
    seed TEXT GENERATED ALWAYS AS (manifest -> '$.plan.seed') VIRTUAL, -- seed of all random choices, 0 to 2^64 - 1, in decimal digits: larger than SQLite's numbers
    track TEXT GENERATED ALWAYS AS (json_extract(manifest, '$.plan.track')) VIRTUAL, -- printing of the time board, with the komi if there is one, as in `original+2`
    printing TEXT GENERATED ALWAYS AS (iif(instr(track, '+'), substr(track, 1, instr(track, '+') - 1), track)) VIRTUAL, -- printing of the time board: `original` or `revised`
    komi INTEGER GENERATED ALWAYS AS (iif(instr(track, '+'), CAST(substr(track, instr(track, '+') + 1) AS INTEGER), 0)) VIRTUAL, -- buttons that the second player gets in addition, 0 or more
    checksum INTEGER NOT NULL -- checksum of the manifest
) STRICT;

-- When, where, by which version and beside how much other work games were added to this folder: one row for each command, also for an import.
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY, -- number of the session, from 1
    started TEXT NOT NULL, -- time of its first game in UTC, as in `2026-11-27T04:05:06Z`
    ended TEXT, -- time of the end in UTC; NULL while it runs, and if it was killed
    version TEXT NOT NULL, -- version of the program
    machine TEXT NOT NULL, -- name of the machine
    processor TEXT NOT NULL, -- model of its processor, or its architecture if the model is not known
    processors INTEGER NOT NULL, -- number of processors that the program could use, 1 or more
    other_load REAL, -- mean number of processors that other programs kept busy from start to end; NULL without an end, below a second, and where the system does not tell it
    checksum INTEGER NOT NULL -- checksum of the other columns
) STRICT;

-- The agents of the plan, and those of earlier plans.
CREATE TABLE agents (
    agent INTEGER PRIMARY KEY, -- number of the agent in this file, 0 to 65,535; it never changes
    label TEXT NOT NULL, -- its name; an agent of an earlier plan may have the name of another one
    hash TEXT NOT NULL UNIQUE, -- hash of its settings: 16 hexadecimal digits; several agents of a plan with the same settings differ in it
    settings TEXT NOT NULL, -- its settings in canonical form, with every default stated, as TOML
    planned INTEGER NOT NULL, -- 1 if it is in the plan, 0 if it was in an earlier one
    checksum INTEGER NOT NULL -- checksum of the other columns
) STRICT;

-- The rings that were played.
CREATE TABLE setups (
    setup INTEGER PRIMARY KEY, -- number of the setup: with common rings or a book, the pair; otherwise half of the number of its games
    ring TEXT NOT NULL, -- the patches around the board by number, 1 to 33, clockwise from the neutral token
    checksum INTEGER NOT NULL -- checksum of the other columns
) STRICT;

-- The games: one row for each. They are in the order of their numbers.
CREATE TABLE games (
    game INTEGER PRIMARY KEY, -- number of the game, 0 or more, made of its agents, pair and leg
    first INTEGER NOT NULL, -- agent in the first seat, which moves first (`agents.agent`)
    second INTEGER NOT NULL, -- agent in the second seat (`agents.agent`)
    pair INTEGER NOT NULL, -- number of the pair of these two agents, from 0; both games of a pair have the same ring
    leg INTEGER NOT NULL, -- 0 if the agent with the lower number moves first, otherwise 1
    setup INTEGER NOT NULL, -- the ring (`setups.setup`)
    winner INTEGER NOT NULL, -- seat of the winner: 0 is the first, 1 the second
    first_points INTEGER NOT NULL, -- points of the first seat at the end, -162 or more; 0 if a fault ended the game
    second_points INTEGER NOT NULL, -- points of the second seat, likewise; a komi is contained in them
    bonus INTEGER, -- seat of the player who filled a 7x7 area first: 0 or 1; NULL if nobody did
    fault TEXT, -- fault of the loser that ended the game: `illegal action`, `garbled action`, `time`, `crash`, `time at start`, `crash at start`, `output flood` or `closed pipe`; NULL without one
    plies INTEGER NOT NULL, -- number of decisions of both players, at most 111
    turns INTEGER NOT NULL, -- number of plies that do not place a special patch
    legal_sum INTEGER NOT NULL, -- sum of the numbers of legal actions of all plies
    legal_max INTEGER NOT NULL, -- maximum number of legal actions of a ply
    first_iterations INTEGER NOT NULL, -- search iterations of the first seat in the whole game; 0 for agents that do not search
    second_iterations INTEGER NOT NULL, -- search iterations of the second seat
    first_nanos INTEGER, -- thinking time of the first seat in nanoseconds: processor time of an agent that searches in one thread, unless its budget is wall time, otherwise wall time; 0 if it was not kept, NULL if only some plies have a time
    second_nanos INTEGER, -- thinking time of the second seat in nanoseconds, likewise
    moves_only INTEGER NOT NULL, -- 1 if `import --moves-only` kept only the ring, the moves and the result of it, otherwise 0
    interrupted INTEGER NOT NULL, -- 1 if the program did not run for a second or more during the game although a clock ran, each time it was played; otherwise 0
    parts INTEGER NOT NULL, -- number of its rows in `decisions`, `considered` and `deliveries`
    parts_checksum INTEGER NOT NULL, -- sum of the checksums of these rows, modulo 2^64, as a signed number
    record BLOB NOT NULL, -- the whole game as bytes: ring, actions, times, estimates, candidates, error output; at most 65,536 bytes
    checksum INTEGER NOT NULL -- checksum of the other columns
) STRICT;

-- The decisions of games whose candidates were recorded (`thoughts`): one row for each ply.
CREATE TABLE decisions (
    game INTEGER NOT NULL, -- the game (`games.game`)
    ply INTEGER NOT NULL, -- number of the ply, from 1
    seat INTEGER NOT NULL, -- who decided: 0 is the first seat, 1 the second
    action TEXT NOT NULL, -- the action in the notation of `export`, such as `A`, `2:a1b1a2` or `S:e5`
    legal INTEGER NOT NULL, -- number of legal actions, 1 or more
    iterations INTEGER NOT NULL, -- search iterations; 0 without a search
    value REAL, -- the agent's estimate of its own result, 0 (loss) to 1 (win); NULL if it has none
    nanos INTEGER, -- thinking time in nanoseconds; 0 or NULL if it was not kept
    checksum INTEGER NOT NULL, -- checksum of the other columns
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

-- The candidates of these decisions: the action that was played, then the others as the agent prefers them.
CREATE TABLE considered (
    game INTEGER NOT NULL, -- the game (`games.game`)
    ply INTEGER NOT NULL, -- number of the ply, from 1
    rank INTEGER NOT NULL, -- place of the candidate, from 1, which is the action that was played
    action TEXT NOT NULL, -- the action, as in `decisions`
    visits INTEGER NOT NULL, -- search iterations that went through it, 1 or more
    value REAL NOT NULL, -- the agent's estimate of its own result after it, 0 (loss) to 1 (win)
    checksum INTEGER NOT NULL, -- checksum of the other columns
    PRIMARY KEY (game, ply, rank)
) STRICT, WITHOUT ROWID;

-- Who played the games of a fleet: one row for each game that a worker sent.
CREATE TABLE deliveries (
    game INTEGER PRIMARY KEY, -- the game (`games.game`)
    worker TEXT NOT NULL, -- name of the worker
    attempt INTEGER NOT NULL, -- how many times the pair had been given out when this worker got it, from 1
    checksum INTEGER NOT NULL -- checksum of the other columns
) STRICT;

-- Other records of games that depend on time or on a program, as `import` found them. The record in `games` counts.
CREATE TABLE others (
    game INTEGER NOT NULL, -- the game (`games.game`)
    source TEXT NOT NULL, -- folder or file that had this record
    record BLOB NOT NULL, -- the game as bytes, as in `games`
    checksum INTEGER NOT NULL, -- checksum of the other columns
    PRIMARY KEY (game, record)
) STRICT;

-- What the tables `tournament`, `sessions`, `agents`, `setups`, `games` and `others` must hold, so that a row that is lost or added is noticed.
CREATE TABLE totals (
    name TEXT PRIMARY KEY, -- name of the table
    rows INTEGER NOT NULL, -- number of its rows
    checksum INTEGER NOT NULL -- sum of the checksums of its rows, modulo 2^64, as a signed number
) STRICT;

-- Games with the names of their agents: one row for each game.
CREATE VIEW named_games AS
SELECT
    game, -- number of the game
    one.label AS first, -- name of the agent in the first seat
    two.label AS second, -- name of the agent in the second seat
    pair, -- number of the pair
    leg, -- as in `games`
    ring, -- the patches around the board
    iif(winner = 0, one.label, two.label) AS winner, -- name of the winner
    first_points, -- points of the first seat
    second_points, -- points of the second seat
    first_points - second_points AS margin, -- points of the first seat less those of the second
    CASE bonus WHEN 0 THEN one.label WHEN 1 THEN two.label END AS bonus, -- name of the agent that filled a 7x7 area first, or NULL
    fault, -- as in `games`
    plies, -- number of decisions
    turns, -- number of plies that do not place a special patch
    CAST(legal_sum AS REAL) / plies AS legal_mean, -- mean number of legal actions of a ply; NULL without a ply
    legal_max, -- maximum number of legal actions of a ply
    first_iterations, -- search iterations of the first seat
    second_iterations, -- search iterations of the second seat
    first_nanos / 1e9 AS first_seconds, -- thinking time of the first seat in seconds, or NULL
    second_nanos / 1e9 AS second_seconds, -- thinking time of the second seat in seconds, or NULL
    one.planned AND two.planned AS planned -- 1 if both agents are in the plan, otherwise 0
FROM games
JOIN agents AS one ON one.agent = first
JOIN agents AS two ON two.agent = second
JOIN setups USING (setup);

-- Games from each player's side: two rows for each game.
CREATE VIEW results AS
SELECT
    game, -- number of the game
    pair, -- number of the pair
    0 AS seat, -- 0 if the agent moved first, otherwise 1
    one.label AS agent, -- name of the agent
    two.label AS opponent, -- name of its opponent
    winner = 0 AS won, -- 1 if the agent won, otherwise 0
    first_points AS points, -- its points
    first_points - second_points AS margin, -- its points less those of the opponent
    bonus IS 0 AS bonus, -- 1 if it filled a 7x7 area first, otherwise 0
    first_iterations AS iterations, -- its search iterations
    first_nanos / 1e9 AS seconds, -- its thinking time in seconds, or NULL
    fault, -- fault of the loser that ended the game, or NULL
    plies, -- number of decisions of both players
    turns, -- number of plies of both that do not place a special patch
    one.planned AND two.planned AS planned -- 1 if both agents are in the plan, otherwise 0
FROM games JOIN agents AS one ON one.agent = first JOIN agents AS two ON two.agent = second
UNION ALL
SELECT game, pair, 1, two.label, one.label, winner = 1,
    second_points, second_points - first_points, bonus IS 1,
    second_iterations, second_nanos / 1e9, fault, plies, turns, one.planned AND two.planned
FROM games JOIN agents AS one ON one.agent = first JOIN agents AS two ON two.agent = second;
