import { describe, expect, test } from "vitest";
import { ascii, FairChance, sha256, toHex } from "./chance";

const seed = Uint8Array.from({ length: 32 }, (_, i) => i);

describe("the golden vectors of crates/engine/src/chance.rs", () => {
  test("match for a shuffle, a roll, and numbers after two nonces", () => {
    const chance = new FairChance(seed);
    const deck = Array.from({ length: 52 }, (_, i) => i);
    expect(chance.stream(0).shuffled(deck)).toEqual([
      39, 7, 9, 48, 40, 19, 34, 20, 31, 4, 43, 33, 17, 50, 1, 13, 22, 16, 6, 36, 30, 51, 3, 37, 44, 46, 38, 25, 0, 5,
      29, 11, 21, 49, 18, 42, 12, 27, 28, 47, 32, 15, 10, 35, 8, 14, 2, 45, 26, 41, 24, 23,
    ]);
    const dice = chance.stream(1);
    expect(Array.from({ length: 10 }, () => dice.below(6) + 1)).toEqual([5, 1, 4, 4, 4, 2, 4, 6, 4, 5]);
    chance.nonce(0, ascii("hello"));
    chance.nonce(3, ascii(""));
    const after = chance.stream(2);
    expect(Array.from({ length: 10 }, () => after.below(100))).toEqual([93, 91, 2, 11, 5, 62, 33, 81, 43, 34]);
  });
});

describe("SHA-256", () => {
  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("of %j", (text, hash) => {
    expect(toHex(sha256(ascii(text)))).toBe(hash);
  });
});
