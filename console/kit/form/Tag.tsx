import type { ReactNode } from 'react';
import type { Tone } from './tones.ts';
import './tag.css';

/** A word on a coloured ground; a plain span, for lists of a thousand rows. */
export function Tag({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`tag tag-${tone}`}>{children}</span>;
}
