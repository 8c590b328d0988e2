import { test } from "vitest";
import { games, Person } from "./support/person";
import { Play } from "./support/player";

const WANTED = (process.env.SHOTS ?? "Hearts,Crazy Eights,War,Go Fish,Rummy").split(",");
for (const game of await games()) {
  if (!WANTED.includes(game.name)) continue;
  for (const device of ["touch", "mouse"] as const) {
    test(`${game.name} ${device}`, async () => {
      const ann = await Person.named("Ann", { device });
      await ann.make(game, { preset: "quick" });
      await ann.addBots(Math.min(3, game.maxPlayers - 1));
      await ann.start();
      const play = new Play([ann]);
      const name = game.name.toLowerCase().replace(/ /g, "-");
      let n = 0;
      for (const want of [0, 4, 12]) {
        await play.until(() => (play.moves.get("Ann") ?? 0) >= want).catch(() => {});
        await new Promise((r) => setTimeout(r, 1500));
        await ann.page.screenshot({ path: `/tmp/shots/${name}-${device}-${n++}.png` });
      }
      await ann.leave();
    });
  }
}
