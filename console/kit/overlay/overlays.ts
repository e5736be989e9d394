import type { ReactNode } from 'react';
import { answerStepUp, stepUp } from '../call/step-up.ts';
import { storeOf } from '../call/store.ts';

/**
 * At most one popup is open in the whole console, and one dialog in each tab, which waits while another tab is shown. Rows therefore hold plain buttons only, and what a
 * button opened outlives the button, for instance when a menu closes or a list is read again.
 */
export interface Popup {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly content: ReactNode;
  /** Where it stands: under the anchor, or to its right as from a narrow side bar. */
  readonly side: 'below' | 'beside';
}

export interface OpenDialog {
  readonly id: number;
  /** The tab it belongs to. */
  readonly tab: string;
  readonly content: ReactNode;
}

interface Overlays {
  readonly popup: Popup | null;
  readonly dialogs: readonly OpenDialog[];
  /** The tab that is shown. */
  readonly tab: string;
}

export const overlays = storeOf<Overlays>({ popup: null, dialogs: [], tab: '' });
let lastId = 0;

const change = (next: Partial<Overlays>): void => overlays.write({ ...overlays.read(), ...next });

/** Shows `content` beside `anchor`, in place of any popup there is. */
export function openPopup(
  anchor: HTMLElement,
  label: string,
  content: ReactNode,
  side: Popup['side'] = 'below',
): void {
  change({ popup: { anchor, label, content, side } });
}

/** Closes the popup and gives the keyboard back to what opened it. */
export function closePopup(): void {
  const { popup } = overlays.read();
  if (!popup) return;
  change({ popup: null });
  popup.anchor.focus({ preventScroll: true });
}

/** Whether a dialog of this tab is open. */
export const hasDialog = (tab: string): boolean =>
  overlays.read().dialogs.some((dialog) => dialog.tab === tab);

/** Whether anything stands over the tab that is shown; what waits in another does not. */
export const isCovered = (): boolean => {
  const { popup, tab } = overlays.read();
  return popup !== null || stepUp.read() !== null || hasDialog(tab);
};

/**
 * Shows a `<Dialog>` in a tab, the one on screen unless told otherwise; what it shows is fixed at this moment and cannot change under
 * the operator's hands.
 */
export function openDialog(content: ReactNode, tab: string = overlays.read().tab): void {
  closePopup();
  lastId += 1;
  const others = overlays.read().dialogs.filter((dialog) => dialog.tab !== tab);
  change({ dialogs: [...others, { id: lastId, tab, content }] });
}

/** Takes a dialog away without ado, once it has faded out. */
export function dropDialog(id: number): void {
  change({ dialogs: overlays.read().dialogs.filter((dialog) => dialog.id !== id) });
}

/** Another tab is shown: its own dialog comes back, and what else was open belonged to the one before. */
export function showTab(tab: string): void {
  answerStepUp(false);
  change({ popup: null, tab });
}

/** What was open in a tab goes with it. */
export function dropTab(tab: string): void {
  change({ dialogs: overlays.read().dialogs.filter((dialog) => dialog.tab !== tab) });
}

/** Whatever is open belongs to whoever was signed in. */
export function dropOverlays(): void {
  answerStepUp(false);
  change({ popup: null, dialogs: [], tab: '' });
}
