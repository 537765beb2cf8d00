/** Synthesized sounds for rolls, keeps and scores, which a phone feels, too; off unless the user turns them on. */

import { settings } from "../lib/settings.svelte";

let context: AudioContext | undefined;

export function sound(kind: "roll" | "keep" | "score"): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  void context.resume();
  if ("vibrate" in navigator) navigator.vibrate(kind === "roll" ? [15, 45, 15, 45, 15] : 10);
  if (kind === "roll") for (let knock = 0; knock < 6; knock += 1) noise(context, 0.06 * knock + 0.03 * Math.random(), 0.05);
  if (kind === "keep") noise(context, 0, 0.03);
  if (kind === "score") tone(context);
}

function noise(audio: AudioContext, after: number, seconds: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1800 + 900 * Math.random(), Q: 2 });
  source.connect(filter).connect(new GainNode(audio, { gain: 0.5 })).connect(audio.destination);
  source.start(audio.currentTime + after);
}

function tone(audio: AudioContext): void {
  const gain = new GainNode(audio, { gain: 0.12 });
  const source = new OscillatorNode(audio, { type: "triangle", frequency: 660 });
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
  source.connect(gain).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + 0.25);
}
