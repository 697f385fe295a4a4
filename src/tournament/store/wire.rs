//! The byte encoding of values, and the versions and limits of the file format.

/// A version of the games file format; add one when the header, frames, addresses or records change. A new kind of
/// section is no new version: older programs refuse only the games that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesFormat {
    /// Every game is stored with everything that is known of it.
    Plain = 3,
    /// Legal games are packed.
    Packed = 4,
}

impl GamesFormat {
    /// The format of new files.
    pub const CURRENT: Self = Self::Packed;
    /// The formats that are read and continued.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Packed];

    /// The format with this version.
    pub(super) fn of_version(version: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|format| *format as u8 == version)
    }
}

/// Version of the format of new files of games.
pub const FORMAT_VERSION: u8 = GamesFormat::CURRENT as u8;

/// The oldest version that is read.
pub(super) const OLDEST_FORMAT: u8 = GamesFormat::ALL[0] as u8;

/// The maximum number of bytes of a game; a real one takes a few hundred.
pub const MAX_PAYLOAD: usize = MAX_FRAME - HEADER;

pub(super) const MAGIC: [u8; 7] = *b"PWGAMES";
/// The bytes before the first frame: [`MAGIC`], the format and the version of play.
pub(super) const FILE_HEADER: usize = MAGIC.len() + 1 + 8;

/// The maximum number of bytes of a frame.
pub const MAX_FRAME: usize = 1 << 16;
pub(super) const HEADER: usize = 16;
/// Four distinct bytes, two of which are neither text nor small numbers.
pub(super) const MARKER: [u8; 4] = [0xF5, 0x67, 0xD2, 0x9B];

/// The header of a file of games of this version of play.
pub(super) fn file_header(play: u64) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..MAGIC.len()].copy_from_slice(&MAGIC);
    header[MAGIC.len()] = FORMAT_VERSION;
    header[MAGIC.len() + 1..].copy_from_slice(&play.to_le_bytes());
    header
}

pub(super) fn encode(value: &impl bincode::Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard())
        .expect("numbers and lists of them can always be encoded")
}

/// A value at the start of `bytes`, and the number of its bytes.
pub(super) fn decode<T: bincode::Decode<()>>(bytes: &[u8]) -> Result<(T, usize), String> {
    // A corrupt list length must not cause a huge allocation. The limit counts bytes in memory; a
    // payload byte takes at most 4.
    let config = bincode::config::standard().with_limit::<{ 8 * MAX_FRAME }>();
    bincode::decode_from_slice(bytes, config).map_err(|error| error.to_string())
}
