import type { More } from './missing-right.ts';
import { storeOf } from './store.ts';

/** The toasts on screen and the number of calls that lock it. */
export interface Toast {
  readonly id: number;
  /** `shown` is an error that the form says at its fields too, from where it is read out. */
  readonly tone: 'success' | 'error' | 'shown';
  readonly text: string;
  /** Where more is said of it. */
  readonly more?: More | undefined;
}

interface Notices {
  readonly toasts: readonly Toast[];
  readonly loading: number;
}

const SHOWN_MS = { success: 3000, error: 5000, shown: 5000 } as const;
const CARRIED = 'notice';

export const notices = storeOf<Notices>({ toasts: [], loading: 0 });
let lastId = 0;

const change = (next: Partial<Notices>): void => notices.write({ ...notices.read(), ...next });

/**
 * Shows a sentence at the top of the screen. The same sentence twice is shown once, its time starting anew; what went wrong
 * before gives way to what succeeds after it.
 */
export function toast(tone: Toast['tone'], text: string, more?: More): void {
  lastId += 1;
  const id = lastId;
  const others = notices
    .read()
    .toasts.filter((shown) => (shown.tone === tone ? shown.text !== text : tone !== 'success'));
  change({ toasts: [...others, { id, tone, text, more }] });
  setTimeout(() => dismissToast(id), SHOWN_MS[tone]);
}

export function dismissToast(id: number): void {
  change({ toasts: notices.read().toasts.filter((shown) => shown.id !== id) });
}

/** Locks the screen until the answer; the function returned lifts this call's lock once. */
export function startLoading(): () => void {
  let over = false;
  change({ loading: notices.read().loading + 1 });
  return () => {
    if (over) return;
    over = true;
    change({ loading: notices.read().loading - 1 });
  };
}

/** Leaves a sentence for the page that replaces this one. */
export function carryNotice(text: string): void {
  try {
    sessionStorage.setItem(CARRIED, text);
  } catch {
    // Without storage the next page simply says nothing.
  }
}

export function showCarriedNotice(): void {
  try {
    const text = sessionStorage.getItem(CARRIED);
    sessionStorage.removeItem(CARRIED);
    if (text) toast('error', text);
  } catch {
    // As above.
  }
}
