//! What a writer has declared so far, with just enough about it to write values of the right type.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    YesNo,
    Player,
    Card,
    Cards,
    /// A value of the attribute at this place in [`Declarations::attributes`].
    Value(usize),
    /// One of these words.
    Choice(Vec<String>),
    Text,
    /// Picked ones of the dice at this place in [`Declarations::dice`].
    Dice(usize),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Set by `:=`, and can be set again.
    pub settable: bool,
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub values: Vec<String>,
    pub number: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    Player,
    /// From 1 to this.
    Range(u32),
    Value(usize),
}

#[derive(Clone, Debug)]
pub struct Zone {
    pub name: String,
    pub index: Vec<Index>,
    pub ordered: bool,
    pub remembers: bool,
    pub secretly: bool,
    /// Everybody sees the cards, always.
    pub open: bool,
    /// Everybody sees how many there are, always.
    pub counted: bool,
    /// The owner sees the cards, always.
    pub own: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub index: Vec<Index>,
    pub kind: Kind,
    pub sealed: bool,
}

#[derive(Clone, Debug)]
pub struct Dice {
    pub name: String,
    pub index: Vec<Index>,
    pub open: bool,
}

#[derive(Clone, Debug)]
pub struct Deck {
    pub name: String,
    pub attributes: Vec<usize>,
    /// Cards that are called by a name.
    pub named: Vec<String>,
    pub packs: bool,
    pub standard: bool,
}

#[derive(Clone, Debug)]
pub struct DeclaredOption {
    pub name: String,
    pub kind: Kind,
    pub text: bool,
}

#[derive(Clone, Debug)]
pub struct Define {
    pub name: String,
    pub takes: Option<Kind>,
    pub kind: Kind,
}

#[derive(Clone, Debug, Default)]
pub struct Declarations {
    pub attributes: Vec<Attribute>,
    pub decks: Vec<Deck>,
    pub options: Vec<DeclaredOption>,
    pub zones: Vec<Zone>,
    pub states: Vec<State>,
    pub dice: Vec<Dice>,
    pub defines: Vec<Define>,
    /// Name and whether it takes a player.
    pub rules: Vec<(String, bool)>,
    pub newcomers: bool,
}

impl Zone {
    pub fn of_players(&self) -> bool {
        self.index == [Index::Player]
    }
}
