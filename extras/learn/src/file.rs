//! Files of self-play games: a header, then the length, the checksum and the bytes of each game.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bincode::{Decode, Encode};
use patchwork_engine::record::{ConsideredActions, Record};
use patchwork_engine::util::InputError;
use twox_hash::XxHash3_64;

/// A game of an agent against itself.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct SelfPlayGame {
    /// Number of plies of its opening, which are not used for training.
    pub opening: u32,
    /// The actions, with the values found by the searches.
    pub record: Record,
    /// The actions that were considered at each ply after the opening, with their visits and values.
    pub considered: ConsideredActions,
}

const MAGIC: &[u8; 18] = b"patchwork selfplay";
const VERSION: u8 = 1;
/// The magic bytes, the version and the hash of the plan.
const HEADER: usize = MAGIC.len() + 1 + 8;
/// Maximum size of a game in bytes; a real one takes one or two thousand.
const MAX_BYTES: usize = 1 << 16;
/// The length and the checksum of a game.
const FRAME: usize = 4 + 8;

/// A file to which games are appended.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: BufWriter<File>,
    games: u32,
}

impl GamesFile {
    /// Opens the file of a plan's games, or creates it. An incomplete game at its end is removed.
    pub fn open(path: &Path, plan: u64) -> Result<Self, InputError> {
        let refused = |error: io::Error| wrong(path, error);
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut file = opened.map_err(refused)?;
        let length = file.metadata().map_err(refused)?.len();
        let (mut games, mut end) = (0, HEADER as u64);
        if length == 0 {
            let mut header = MAGIC.to_vec();
            header.push(VERSION);
            header.extend(plan.to_le_bytes());
            file.write_all(&header).map_err(refused)?;
        } else {
            let mut reader = GamesReader::new(path, BufReader::new(&mut file))?;
            if reader.plan != plan {
                return Err(wrong(
                    path,
                    "the file has games of another plan; expected a new file or the plan that it began with",
                ));
            }
            while reader.next_bytes()?.is_some() {}
            (games, end) = (reader.games, reader.end);
            file.set_len(end).map_err(refused)?;
        }
        file.seek(SeekFrom::Start(end)).map_err(refused)?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
            games,
        })
    }

    /// Number of games in the file.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Appends the next game.
    pub fn append(&mut self, game: &SelfPlayGame) -> Result<(), InputError> {
        let bytes = bincode::encode_to_vec(game, bincode::config::standard())
            .expect("numbers and lists of them can always be encoded");
        let mut frame = (bytes.len() as u32).to_le_bytes().to_vec();
        frame.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
        frame.extend(bytes);
        let written = self.file.write_all(&frame);
        written.map_err(|error| wrong(&self.path, error))?;
        self.games += 1;
        Ok(())
    }

    /// Writes buffered games to the file.
    pub fn finish(&mut self) -> Result<(), InputError> {
        let written = self.file.flush();
        let written = written.and_then(|()| self.file.get_ref().sync_data());
        written.map_err(|error| wrong(&self.path, error))
    }
}

/// Reads the games of a file. Returns the number of bytes of an incomplete game at the end, which is left out.
pub fn read_games(
    path: &Path,
    mut visit: impl FnMut(SelfPlayGame) -> Result<(), String>,
) -> Result<u64, InputError> {
    let file = File::open(path).map_err(|error| wrong(path, error))?;
    let mut reader = GamesReader::new(path, BufReader::new(file))?;
    while let Some(bytes) = reader.next_bytes()? {
        // A damaged list length must not cause a huge allocation.
        let config = bincode::config::standard().with_limit::<{ 64 * MAX_BYTES }>();
        let decoded = bincode::decode_from_slice::<SelfPlayGame, _>(&bytes, config);
        let decoded = decoded.map_err(|error| error.to_string());
        let visited = decoded.and_then(|(game, _)| visit(game));
        visited.map_err(|what| reader.damaged(&what))?;
    }
    Ok(reader.read - reader.end)
}

struct GamesReader<'a, R> {
    path: &'a Path,
    from: R,
    plan: u64,
    games: u32,
    /// The end of the last complete game.
    end: u64,
    /// Number of bytes read.
    read: u64,
}

impl<'a, R: Read> GamesReader<'a, R> {
    fn new(path: &'a Path, mut from: R) -> Result<Self, InputError> {
        let mut header = [0; HEADER];
        let foreign = || {
            let what = "the file has no self-play games: expected one that `patchwork-arena learn selfplay` wrote";
            wrong(path, what)
        };
        let read = from.read_exact(&mut header);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => foreign(),
            _ => wrong(path, error),
        })?;
        let rest = header.strip_prefix(MAGIC).ok_or_else(foreign)?;
        let (&found, plan) = rest.split_first().ok_or_else(foreign)?;
        if found != VERSION {
            let what =
                format!("the file has version {found}; this program reads version {VERSION}");
            return Err(wrong(path, what));
        }
        Ok(Self {
            path,
            from,
            plan: u64::from_le_bytes(plan.try_into().map_err(|_| foreign())?),
            games: 0,
            end: HEADER as u64,
            read: HEADER as u64,
        })
    }

    /// The bytes of the next game, or `None` at the end of the complete games.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, InputError> {
        let Some(frame) = self.read(FRAME)? else {
            return Ok(None);
        };
        let (length, sum) = frame.split_first_chunk().expect("a frame is longer");
        let length = u32::from_le_bytes(*length) as usize;
        self.games += 1;
        if length > MAX_BYTES {
            return Err(self.damaged(&format!("it has {length} bytes, at most {MAX_BYTES}")));
        }
        let Some(bytes) = self.read(length)? else {
            self.games -= 1;
            return Ok(None);
        };
        if XxHash3_64::oneshot(&bytes).to_le_bytes() != sum {
            return Err(self.damaged("its checksum is wrong"));
        }
        self.end += (FRAME + length) as u64;
        Ok(Some(bytes))
    }

    /// Reads this many bytes; `None` if the file ends first.
    fn read(&mut self, length: usize) -> Result<Option<Vec<u8>>, InputError> {
        let mut bytes = Vec::with_capacity(length);
        let read = self
            .from
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut bytes);
        read.map_err(|error| wrong(self.path, error))?;
        self.read += bytes.len() as u64;
        Ok((bytes.len() == length).then_some(bytes))
    }

    fn damaged(&self, what: &str) -> InputError {
        let game = self.games;
        wrong(self.path, format_args!("game {game} is damaged: {what}"))
    }
}

/// What is wrong with a file.
fn wrong(path: &Path, what: impl fmt::Display) -> InputError {
    InputError::new(format!("{}: {what}", path.display()))
}
