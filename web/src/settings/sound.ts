/**
 * Sounds that the browser computes, so that no file has to be loaded. They play only if the person has switched them
 * on.
 */
import { settings } from "./settings";

let context: AudioContext | null = null;

export type Sound = "card" | "turn" | "shout" | "end";

const NOTES: Record<Exclude<Sound, "card">, number[]> = {
  turn: [660, 880],
  shout: [300, 220, 160],
  end: [523, 659, 784],
};

export function playSound(sound: Sound): void {
  if (!settings().sound) return;
  context ??= new AudioContext();
  // Some browsers allow sound only after a gesture, and the person has made one by now.
  if (context.state === "suspended") void context.resume();
  if (sound === "card") rustle(context);
  else chime(context, NOTES[sound]);
}

function chime(audio: AudioContext, notes: number[]): void {
  notes.forEach((frequency, i) => {
    const at = audio.currentTime + i * 0.09;
    const gain = new GainNode(audio, { gain: 0.0001 });
    gain.gain.exponentialRampToValueAtTime(0.08, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    const tone = new OscillatorNode(audio, { frequency, type: "triangle" });
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.22);
  });
}

function rustle(audio: AudioContext): void {
  const length = Math.floor(audio.sampleRate * 0.07);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3 * 0.2;
  const source = new AudioBufferSourceNode(audio, { buffer });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: 2400 })).connect(audio.destination);
  source.start();
}
