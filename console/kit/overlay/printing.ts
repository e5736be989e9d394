import { flushSync } from 'react-dom';
import { storeOf } from '../call/store.ts';

/** Whether the page is put on paper just now: what is drawn only while it is in sight is missing there. */
export const printing = storeOf(false);

if (typeof window !== 'undefined') {
  // The browser goes on as soon as it has told.
  window.addEventListener('beforeprint', () => flushSync(() => printing.write(true)));
  window.addEventListener('afterprint', () => printing.write(false));
}
