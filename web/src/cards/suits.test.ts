import { expect, test } from "vitest";
import { assignInks, pictureId, signOf } from "./suits";

test("a picture of the rules replaces the shape, in the ink of its word", () => {
  const face = { deck: "cards", template: "number", label: "Skull", sign: { word: "skull", place: 1 } };
  const plain = signOf(face);
  expect(plain?.symbol).toBe("sign-1");
  const drawn = signOf({ ...face, sign: { ...face.sign, picture: "☠" } });
  expect(drawn).toEqual({ ...plain, symbol: "picture-2620" });
});

test("the id of a picture has only plain letters", () => {
  expect(pictureId("👩‍🚀")).toBe("picture-1f469-200d-1f680");
});

test("every word has a sign and an ink of its own, and colour words keep theirs", () => {
  const words = ["ash", "birch", "red", "oak", "willow", "blue", "rowan", "elder", "hawthorn", "yew", "lime", "fir"];
  const faces = words.map((word, place) => ({ deck: "d", template: "number", label: word, sign: { word, place } }));
  assignInks(faces);
  const signs = faces.map((face) => signOf(face));
  expect(new Set(signs.map((sign) => sign?.symbol)).size).toBe(words.length);
  expect(new Set(signs.map((sign) => sign?.ink)).size).toBe(words.length);
  expect(signs[2]?.ink).toBe("#b8202f");
  expect(signs[5]?.ink).toBe("#1a5fb4");
});
