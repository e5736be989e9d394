import type { ReactNode } from 'react';
import { answerStepUp } from './step-up.ts';

/**
 * At most one popup and one dialog are open in the whole console. Rows therefore hold plain buttons only, and what a
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
  readonly content: ReactNode;
}

interface Overlays {
  readonly popup: Popup | null;
  readonly dialog: OpenDialog | null;
}

let overlays: Overlays = { popup: null, dialog: null };
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Partial<Overlays>): void {
  overlays = { ...overlays, ...next };
  for (const listener of listeners) listener();
}

export const readOverlays = (): Overlays => overlays;

export function subscribeOverlays(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
  const { popup } = overlays;
  if (!popup) return;
  change({ popup: null });
  popup.anchor.focus({ preventScroll: true });
}

/** Shows a `<Dialog>`; what it shows is fixed at this moment and cannot change under the operator's hands. */
export function openDialog(content: ReactNode): void {
  closePopup();
  lastId += 1;
  change({ dialog: { id: lastId, content } });
}

/** Takes a dialog away without ado, once it has faded out. */
export function dropDialog(id: number): void {
  if (overlays.dialog?.id === id) change({ dialog: null });
}

/** Whatever is open belongs to the screen that opened it. */
export function dropOverlays(): void {
  answerStepUp(false);
  if (overlays.popup || overlays.dialog) change({ popup: null, dialog: null });
}
