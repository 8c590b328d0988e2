//! Names for bots.

/// Each name is one word that is easy to say on a call and that hardly anybody is called.
pub const NAMES: &[&str] = &[
    "Acorn",
    "Anchovy",
    "Artichoke",
    "Badger",
    "Bagel",
    "Bamboozle",
    "Banjo",
    "Barnacle",
    "Beaker",
    "Beetroot",
    "Bingo",
    "Biscuit",
    "Blimp",
    "Blunder",
    "Bobbin",
    "Bongo",
    "Boomerang",
    "Borscht",
    "Bramble",
    "Bubbles",
    "Bumble",
    "Bunion",
    "Butterfingers",
    "Button",
    "Cabbage",
    "Cactus",
    "Calamity",
    "Carburettor",
    "Cashew",
    "Chutney",
    "Clementine",
    "Clodhopper",
    "Cobbler",
    "Coconut",
    "Colander",
    "Conundrum",
    "Corduroy",
    "Crumpet",
    "Custard",
    "Dandelion",
    "Dawdle",
    "Dibble",
    "Dingbat",
    "Dizzy",
    "Domino",
    "Doodle",
    "Doorknob",
    "Dumpling",
    "Eggplant",
    "Fandango",
    "Fiddlesticks",
    "Figgy",
    "Flapjack",
    "Flannel",
    "Flummox",
    "Fondue",
    "Fumble",
    "Galoshes",
    "Garlic",
    "Gherkin",
    "Giblet",
    "Gizmo",
    "Gnocchi",
    "Goblin",
    "Goggles",
    "Goulash",
    "Gremlin",
    "Grommet",
    "Gubbins",
    "Gumboot",
    "Haggis",
    "Hiccup",
    "Hodgepodge",
    "Humbug",
    "Icicle",
    "Jalopy",
    "Jellybean",
    "Jitters",
    "Juniper",
    "Kazoo",
    "Kerfuffle",
    "Kettle",
    "Kipper",
    "Knapsack",
    "Kumquat",
    "Lasagne",
    "Lentil",
    "Limerick",
    "Lollygag",
    "Lugnut",
    "Macaroon",
    "Malarkey",
    "Mango",
    "Marmalade",
    "Marzipan",
    "Meatball",
    "Mittens",
    "Mothball",
    "Muddle",
    "Muffin",
    "Mumble",
    "Mustard",
    "Nacho",
    "Nimbus",
    "Noodle",
    "Nougat",
    "Nutmeg",
    "Oddball",
    "Oatcake",
    "Omelette",
    "Pancake",
    "Papaya",
    "Parsnip",
    "Pebble",
    "Pepper",
    "Pickle",
    "Pinball",
    "Pipsqueak",
    "Pistachio",
    "Plonk",
    "Poppadom",
    "Porridge",
    "Pretzel",
    "Pudding",
    "Pumpernickel",
    "Quibble",
    "Quiche",
    "Radish",
    "Ragtime",
    "Ravioli",
    "Rhubarb",
    "Rigmarole",
    "Rumpus",
    "Rutabaga",
    "Sardine",
    "Sausage",
    "Scallywag",
    "Schnitzel",
    "Shenanigan",
    "Shuffles",
    "Skedaddle",
    "Snorkel",
    "Socks",
    "Spatula",
    "Sprocket",
    "Squeegee",
    "Strudel",
    "Sunday",
    "Swizzle",
    "Tadpole",
    "Tangerine",
    "Tapioca",
    "Teapot",
    "Thimble",
    "Tiddles",
    "Tinsel",
    "Toadstool",
    "Toffee",
    "Tombola",
    "Treacle",
    "Truffle",
    "Turnip",
    "Tuppence",
    "Twaddle",
    "Ukulele",
    "Waffles",
    "Walrus",
    "Whatnot",
    "Whisk",
    "Widget",
    "Wombat",
    "Yodel",
    "Zigzag",
    "Zucchini",
];

/// Returns a name that nobody at the table has, ignoring upper and lower case. If all names are taken, it adds a number.
pub fn name<'a>(seed: u64, taken: impl IntoIterator<Item = &'a str>) -> String {
    let taken: Vec<String> = taken.into_iter().map(str::to_lowercase).collect();
    let free = |name: &str| !taken.contains(&name.to_lowercase());
    // The step of 7 visits all names, because 7 does not divide their number.
    let (count, start) = (NAMES.len() as u64, seed % NAMES.len() as u64);
    let found = (0..count).map(|n| NAMES[((start + n * 7) % count) as usize]).find(|name| free(name));
    match found {
        Some(name) => name.to_owned(),
        None => {
            let first = NAMES[start as usize];
            (2..).map(|n| format!("{first}{n}")).find(|name| free(name)).unwrap_or_else(|| first.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_many_short_and_different() {
        let all: BTreeSet<String> = NAMES.iter().map(|name| name.to_lowercase()).collect();
        assert!(NAMES.len() >= 150, "{}", NAMES.len());
        assert_eq!(all.len(), NAMES.len());
        assert!(NAMES.iter().all(|name| name.chars().all(char::is_alphabetic) && name.len() <= 16));
        // `name` visits all names in steps of 7.
        assert_ne!(NAMES.len() % 7, 0);
    }

    #[test]
    fn each_bot_at_a_table_gets_a_new_name() {
        let mut table: Vec<String> = Vec::new();
        for seed in 0..NAMES.len() as u64 + 20 {
            let name = name(seed / 3, table.iter().map(String::as_str));
            assert!(!table.contains(&name), "{name}");
            table.push(name);
        }
        assert_eq!(name(0, ["ACORN"]), NAMES[7]);
    }
}
