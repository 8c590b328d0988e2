import { expect, test } from "vitest";
import { pictureId, signOf } from "./suits";

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
