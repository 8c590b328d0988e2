/** The words of a pause, which are loaded after the table. */
export const pausedText = {
  title: "The game is paused",
  "host-away": (name: string) =>
    `${name}, who made this table, has lost the connection. The game goes on when ${name} is back.`,
  "too-few": () => "Too few players are here. The game goes on when somebody returns or joins.",
  deserted: () => "Nobody is here who could play. The game goes on when somebody is back.",
  lead: (name: string) => `${name} has paused the game.`,
  meanwhile: "Meanwhile you can chat and invite others. The menu has the rest, also how to leave.",
  youLead: "You run this table: in the menu you can remove players, hand on seats, or end the game.",
  resume: "Resume",
  menu: "Menu",
  home: "Home",
};
