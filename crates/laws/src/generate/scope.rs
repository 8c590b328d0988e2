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
    /// One of the words in this list.
    Choice(Vec<String>),
    Text,
    /// Dice that a player picked among those at this place in [`Declarations::dice`].
    Dice(usize),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// True if the variable got its value with `:=`, so that a step can set it again.
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
    /// The numbers from 1 to this one.
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
    /// True if everybody always sees the cards.
    pub open: bool,
    /// True if everybody always sees how many cards there are.
    pub counted: bool,
    /// True if the owner always sees the cards.
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
    /// Names by which the file calls single cards.
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
    /// The name of each rule, and whether the rule takes a player as its argument.
    pub rules: Vec<(String, bool)>,
    pub newcomers: bool,
    /// True if the file says `language 1` and uses the newest words of the language. A file that does not stays the same for its
    /// seed, so that the seeds that witnesses name still lead to the same files.
    pub newer_words: bool,
    /// True if the file also uses words that are newer than those of `newer_words`. Files of the search for witnesses do not, so that their
    /// seeds still lead to the same files.
    pub newest_words: bool,
    /// Set if the file has the dice `cup`, whose sides have words. The value tells whether everybody sees these dice.
    pub words_on_dice: Option<bool>,
}

impl Zone {
    pub fn of_players(&self) -> bool {
        self.index == [Index::Player]
    }
}
