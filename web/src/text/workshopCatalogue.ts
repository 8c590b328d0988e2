/** The texts of the workshop page, apart from `catalogue.ts` so that the first load does not contain them. */
import { plural } from "./catalogue";

export const workshopText = {
  title: "Workshop",
  problems: "What is wrong with the file",
  broken: (n: number) => `${plural(n, "mistake", "mistakes")}. Save the file again: this page follows it.`,
  fine: (game: string) => `${game} is fine. Save the file to try another version: this page and its tables follow it.`,
  newTable: "A new table",
} as const;
