/** What the browser gives a key that an input method takes. */
const TAKEN = 229;

/**
 * Whether a key belongs to what an input method composes, and presses nothing here. Safari says that composing has ended before it tells of
 * the key that ended it.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === TAKEN;
