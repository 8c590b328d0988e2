/** Fixtures with cards to read: prompts with blanks, answers to judge, a card to write on. */
import { decide, type Fixture, freshHandles, type PlayerSpec, say, shown, snapshot, type ZoneSpec } from "./build";
import { counts, hands, numberIndex, people } from "./people";

const ANSWERS = [
  "A suspiciously confident pigeon.",
  "The quiet one from accounts.",
  "Forty-two unread emails marked urgent.",
  "A strongly worded letter to the moon.",
  "Grandmother's secret trapdoor.",
  "One perfectly ripe avocado.",
  "The committee for the renaming of committees, sub-section B, third floor.",
  "Interpretive dance.",
  "A badger with opinions.",
  "Lukewarm applause.",
];
const PROMPTS = [
  "Our town is twinned with _____, and its chief export is _____.",
  "The robot can feel only one thing, and that is _____.",
];
const readFaces = [
  ...PROMPTS.map((text, i) => ({
    deck: "prompts",
    template: "prompt",
    label: text,
    text,
    attributes: { pick: String(2 - i) },
  })),
  ...ANSWERS.map((text) => ({ deck: "answers", template: "text", label: text, text })),
];

/** Prompts with blanks, cards with text, answers to judge, a card to write on. */
export function reading(name: string, players: number, phase: "answer" | "judge" | "write"): Fixture {
  freshHandles();
  const judge = phase === "judge" ? 0 : 2;
  const crowd = Array.from(
    { length: players },
    (_, i) =>
      people[i] ?? {
        name:
          ["Finn", "Noor", "Sol", "Ivy", "Theo", "Mika", "Lotte", "Ravi", "Zoe", "Kit", "Uma", "Bo"][i - 8] ??
          `Guest ${i}`,
      },
  );
  const seats = crowd.map(
    (player, i): PlayerSpec => ({
      ...player,
      seat: {
        turn: phase === "judge" ? i === judge : i !== judge && i % 3 !== 1,
        badges: [
          { kind: "score", value: say(String((i * 3) % 5)) },
          ...(i === judge ? [{ kind: "title", label: say("Judge") }] : []),
        ],
        status: phase !== "judge" && i % 3 === 1 && i !== judge ? [{ word: "submitted", label: say("Answered") }] : [],
      },
    }),
  );
  const held = shown([2, 3, 4, 5, 6, 7, 8]);
  const shownAnswers = phase === "judge" ? Math.min(players - 1, 5) : 0;
  const zones: ZoneSpec[] = [
    { zone: "prompt_stock", title: "Prompts", shape: "pile", content: { count: 58 } },
    { zone: "stock", title: "Answers", shape: "pile", content: { count: 261 } },
    { zone: "used", title: "Used answers", shape: "pile", content: { count: 12 } },
    { zone: "prompt", shape: "slots", content: { cards: shown([0]) } },
    ...hands(
      held,
      counts(players - 1, () => 7),
    ),
    ...Array.from(
      { length: 8 },
      (_, i): ZoneSpec => ({
        zone: "shown",
        shape: "row",
        index: numberIndex(i),
        content: { cards: i < shownAnswers ? shown([2 + ((i * 2) % 10), 3 + ((i * 2) % 9)]) : [] },
      }),
    ),
  ];
  const first = 5 + players - 1;
  return {
    name,
    snapshot: snapshot({
      game: { id: "reading", name: "Reading", theme: { cloth: "slate", back: "plain", emblem: "✎" } },
      faces: readFaces,
      players: seats,
      zones,
      view: {
        status: [say("Round 4")],
        decision:
          phase === "judge"
            ? decide("Pick the best answer", [
                "choose",
                "Pick",
                {
                  pile: {
                    options: Array.from({ length: shownAnswers }, (_, i): [number, number] => [i + 1, first + i]),
                  },
                },
              ])
            : decide(
                "Answer with 2",
                ["play", "Play", { cards: { low: 2, high: 2, options: held.map((c) => c.handle), ordered: true } }],
                ...(phase === "write"
                  ? [["write", "Write a card", { text: { most: 120 } }] as [string, string, { text: { most: number } }]]
                  : []),
              ),
      },
    }),
  };
}
