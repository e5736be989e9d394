import { use } from 'react';
import { nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { useMayOpen } from '../call/use-menus.ts';
import { valueAt } from '../form/field.ts';
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
 * A row of a noun by its name (or number), leading to its own page where it has one that may be opened, else to the list where it stands.
 * Plain text for whoever may not open that, where not enough of the row is known to find it, and in what a dialog says of its row.
 */
export function RowLink({ noun, row, children }: RowLinkProps) {
  const place = use(PlaceContext);
  const { page, screen } = nounOf(noun);
  const pageOpens = useMayOpen(page ?? screen) && page !== undefined;
  const id = valueAt(row, 'id');
  const byPage = pageOpens && id !== undefined;
  const search = byPage ? { id: String(id) } : searchFor(nounOf(noun), row);
  const text = <span title={children}>{children}</span>;
  if (place === 'about' || !search) return text;
  return (
    <PlaceContext value="plain">
      <ScreenLink to={byPage ? page : screen} search={search} instead={text}>
        {text}
      </ScreenLink>
    </PlaceContext>
  );
}

/** A row by its name in a list of its own: it leads to the row's page, and nowhere where that may not be opened. */
export function NameLink({ noun, row, children }: RowLinkProps) {
  const { page, screen } = nounOf(noun);
  const opens = useMayOpen(page ?? screen) && page !== undefined;
  return opens ? <RowLink {...{ noun, row, children }} /> : children;
}
