/** The colour of a tag, by what it says. */
export type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'idle' | 'brand';

/** What the product's codes mean at a glance. */
const known: Readonly<Record<string, Tone>> = {
  ...{ true: 'good', false: 'idle' },
  ...{ SUCCESS: 'good', FAIL: 'bad', PROCESSING: 'busy' },
  ...{ WAITTING: 'idle', OPENING: 'busy', OPENED: 'good', VOID: 'bad' },
  ...{ IN: 'good', OUT: 'bad' },
  ...{ FOLDER: 'warn', MENU: 'busy', BTN: 'idle' },
};

const rest: readonly Tone[] = ['brand', 'busy', 'warn', 'good', 'idle'];

/** The tone of a code: its own where it has one, else one that tells it from its neighbours. */
export const toneOf = (code: string, words: Readonly<Record<string, string>>): Tone =>
  known[code] ?? rest[Object.keys(words).indexOf(code) % rest.length] ?? 'idle';
