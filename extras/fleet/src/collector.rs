//! The collector of a fleet. Another one is refused while its name stands beside the queue.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use super::link::{FleetError, FleetLink, KeptMessage, RETRY, START};
use super::message::printable;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_tournament::TournamentError;

/// How a collector works.
#[derive(Clone, Debug)]
pub struct CollectOptions {
    /// The name of this collector, which no other one has or had: its host, its process and its results folder.
    pub name: String,
    /// Whether it takes the place of a collector that has not ended by itself.
    pub takes_over: bool,
    /// Maximum number of pairs in the queue at once; `None` for 20,000, and for 512 if a sequential test may leave
    /// most of them unplayed.
    pub window: Option<usize>,
    /// Time after which a task that is neither acknowledged nor renewed is delivered again.
    pub wait: Duration,
    /// Time between two comparisons of the queue with what is missing.
    pub audit: Duration,
}

/// The sentence for a service that is asked again.
pub(super) fn trying_again(error: &FleetError) -> String {
    format!("the server failed: {error}; trying again")
}

/// The collector of a fleet, which plays one plan after another. Its name stands beside the queue until it is dropped.
pub struct Collector<'a, L: FleetLink> {
    pub(super) link: &'a L,
    pub(super) options: &'a CollectOptions,
    /// Hears sentences for people.
    pub(super) note: Box<dyn FnMut(&str) + 'a>,
    /// Workers with other versions of play that have been reported.
    pub(super) incompatible: HashSet<String>,
    /// The hashes of earlier plans.
    pub(super) earlier: HashSet<String>,
}

impl<'a, L: FleetLink> Collector<'a, L> {
    /// Becomes the collector of a fleet, or returns when `stop` is set. A service that does not answer is asked again
    /// for some time: a server on a busy disk may take longer to create a stream than a request waits. `note` hears
    /// sentences for people, now and later.
    ///
    /// # Errors
    /// When the fleet has another collector, or the service refuses or does not answer.
    pub fn claim(
        link: &'a L,
        options: &'a CollectOptions,
        stop: &Stop,
        mut note: impl FnMut(&str) + 'a,
    ) -> Result<Self, TournamentError> {
        let (mut is_prepared, mut failing) = (false, None);
        while !stop.is_set() {
            let claimed = link.prepare(options.wait).and_then(|()| {
                is_prepared = true;
                register(link, options, options.takes_over)
            });
            let Err(error) = claimed else { break };
            let is_final = match error {
                FleetError::Failed(_) => !is_prepared,
                FleetError::Silent(_) => false,
                FleetError::Refused(_) | FleetError::Tournament(_) => true,
            };
            if is_final {
                return Err(InputError::new(error.to_string()).into());
            }
            if failing.is_none() {
                note(&trying_again(&error));
            }
            if failing.get_or_insert_with(Instant::now).elapsed() >= START {
                let seconds = START.as_secs();
                return Err(InputError::new(format!(
                    "the server has failed for {seconds} s ({error}); nothing is lost: start the command again when it answers"
                ))
                .into());
            }
            thread::sleep(RETRY);
        }
        Ok(Self {
            link,
            options,
            note: Box::new(note),
            incompatible: HashSet::new(),
            earlier: HashSet::new(),
        })
    }

    /// Checks that no other collector has taken over. A service that has lost the name gets it again.
    pub(super) fn stay(&self) -> Result<(), FleetError> {
        register(self.link, self.options, false)
    }
}

/// Writes the name of a collector beside the queue, unless the name of another one is there.
fn register(
    link: &impl FleetLink,
    options: &CollectOptions,
    takes_over: bool,
) -> Result<(), FleetError> {
    let there = link.kept(KeptMessage::Collector)?.unwrap_or_default();
    if there == options.name.as_bytes() {
        return Ok(());
    }
    if !there.is_empty() && !takes_over {
        return Err(FleetError::Refused(format!(
            "the fleet has another collector: {}; if it has died, --take-over goes on in its place",
            printable(&String::from_utf8_lossy(&there))
        )));
    }
    link.keep(KeptMessage::Collector, options.name.as_bytes())
}

impl<L: FleetLink> Drop for Collector<'_, L> {
    fn drop(&mut self) {
        let there = self.link.kept(KeptMessage::Collector);
        if there.is_ok_and(|name| name.as_deref() == Some(self.options.name.as_bytes())) {
            // If the name cannot be removed, the next collector has to take over.
            let _ = self.link.keep(KeptMessage::Collector, b"");
        }
    }
}
