import { readCache, writeCache } from '../kit/call/index.ts';

const KEY = 'chime';
const HEARD = 'chime-heard';
/** Browsers let a window that nobody looks at do something once a minute at least. */
const LAST_TO_ASK_MS = 75_000;

/** Whether something new may be heard; on unless switched off, and remembered. */
export const isChimeOn = (): boolean => readCache<boolean>(KEY) ?? true;
export const switchChime = (on: boolean): boolean => writeCache(KEY, on);

let context: AudioContext | undefined;

/** Browsers let a page be heard only once somebody has touched it. */
function readyContext(): AudioContext | undefined {
  if (!navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  return context;
}

/** Two soft notes, a third of a second together. */
function play(audio: AudioContext): void {
  const loudness = audio.createGain();
  loudness.connect(audio.destination);
  const start = audio.currentTime + 0.02;
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(0.06, start + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.34);
  for (const [place, frequency] of [660, 880].entries()) {
    const note = audio.createOscillator();
    note.frequency.value = frequency;
    note.connect(loudness);
    note.start(start + place * 0.12);
    note.stop(start + place * 0.12 + 0.22);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Lets one of the windows of this browser be heard, unless it is switched off. */
export async function chime(): Promise<void> {
  const audio = isChimeOn() ? readyContext() : undefined;
  if (!audio) return;
  const hear = async (): Promise<void> => {
    await audio.resume();
    play(audio);
    await pause(1_000);
  };
  // Windows that nobody looks at ask by themselves there, one after the other: one was heard, or is looked at.
  if (!('locks' in navigator)) {
    if (document.hidden && Date.now() - (readCache<number>(HEARD) ?? 0) < LAST_TO_ASK_MS) return;
    writeCache(HEARD, Date.now());
    return hear();
  }
  const held = navigator.locks.request(KEY, { ifAvailable: true }, (lock) => (lock ? hear() : undefined));
  // Where the browser keeps nothing for the page it lends no locks either.
  await held.catch(hear);
}
