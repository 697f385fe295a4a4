//! Rollouts do not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use patchwork_engine::agent::RolloutPlayer;
use patchwork_engine::game::{Setup, State, Track};
use patchwork_engine::placement::{EVALUATIONS, POLICIES, Scratch, Strategy, Transforms};
use patchwork_engine::search::Picker;
use patchwork_engine::util::rng::stream;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe by nature; this one only counts"
)]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn rollouts_allocate_nothing() {
    let mut rng = stream(&[1]);
    let setup = Setup::random(Track::Original, &mut rng);
    let mut scratch = Scratch::default();
    let counted = |work: &mut dyn FnMut()| {
        let before = ALLOCATIONS.get();
        work();
        ALLOCATIONS.get() - before
    };
    assert!(
        counted(&mut || drop(std::hint::black_box(Box::new(1)))) > 0,
        "counting works"
    );
    for policy in POLICIES {
        for evaluation in EVALUATIONS {
            for transforms in Transforms::ALL {
                for picker in [
                    Picker::GREEDY,
                    Picker::epsilon_greedy(0.5),
                    Picker::softmax(2.0),
                    Picker::UNIFORM,
                ] {
                    let strategy = Strategy::new(policy, transforms, evaluation);
                    let player = RolloutPlayer::new(picker, strategy);
                    let mut play = || {
                        let start = State::new(&setup);
                        let end = player.play_out(&setup, start, &mut rng, &mut scratch);
                        assert!(end.is_over());
                    };
                    // Tables that all rollouts share may be allocated by the first.
                    play();
                    let allocations = counted(&mut play);
                    assert_eq!(allocations, 0, "{picker:?}, {strategy}");
                }
            }
        }
    }
}
