/** The words of the log, which is loaded after the table. */
export const logText = {
  title: "What happened",
  chat: "Chat",
  start: "The game",
  empty: "What happens in the game appears here.",
  sinceYourTurn: "Since your last turn",
  earlier: "Show earlier",
  failed: "The earlier lines can't be loaded now.",
  again: "Try again",
  times: (n: number) => `×${n}`,
};
