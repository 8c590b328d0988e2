import { expect, test } from "vitest";
import type { Announcement } from "../state/store";
import { queueOf } from "./announcementQueue";

const announced = (...kinds: string[]): Announcement[] =>
  kinds.map((kind, i) => ({ id: i + 1, kind, line: [{ text: kind }] }));

test("shouts and banners come one after the other, and toasts after them", () => {
  let all = announced("toast", "shout", "banner", "shout", "session");
  const order: number[] = [];
  for (let { head } = queueOf(all); head; { head } = queueOf(all)) {
    order.push(head.id);
    all = all.filter(({ id }) => id !== head?.id);
  }
  expect(order).toEqual([2, 3, 4, 1, 5]);
});

test("an announcement stays for a shorter time while others wait", () => {
  const alone = queueOf(announced("banner")).stays;
  expect(queueOf(announced("banner", "toast")).stays).toBeLessThan(alone);
});

test("beyond a bound the queue drops the oldest waiting announcements, but never the one on the screen", () => {
  const { head, dropped } = queueOf(announced("banner", "shout", "shout", "shout", "shout", "banner"));
  expect(head?.id).toBe(1);
  expect(dropped).toEqual([2, 3]);
  expect(queueOf(announced("toast", "toast", "toast", "toast", "toast")).dropped).toEqual([2, 3]);
});

test("notices do not wait in the queue", () => {
  expect(queueOf(announced("notice")).head).toBeNull();
});
