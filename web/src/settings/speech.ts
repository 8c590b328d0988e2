/** Reads text aloud with the browser's own voices. */
export function speak(words: string): void {
  if (!("speechSynthesis" in globalThis) || words.trim() === "") return;
  speechSynthesis.speak(new SpeechSynthesisUtterance(words));
}
