import { use } from 'react';
import { nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { searchFor } from '../form/references.ts';
import { PlaceContext } from '../overlay/Button.tsx';
import { ScreenLink } from '../overlay/ScreenLink.tsx';

interface RowLinkProps {
  readonly noun: NounName;
  /** What is known of the row: its id at least. */
  readonly row: object;
  readonly children: string;
}

/**
 * A row of a noun by its name (or number), leading to the list where it stands. Plain text for whoever may not open that, where not
 * enough of the row is known to find it, and in what a dialog says of its row.
 */
export function RowLink({ noun, row, children }: RowLinkProps) {
  const place = use(PlaceContext);
  const search = searchFor(nounOf(noun), row);
  const text = <span title={children}>{children}</span>;
  if (place === 'about' || !search) return text;
  return (
    <PlaceContext value="plain">
      <ScreenLink to={nounOf(noun).screen} search={search}>
        {text}
      </ScreenLink>
    </PlaceContext>
  );
}
