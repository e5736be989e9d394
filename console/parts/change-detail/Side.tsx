import { Fragment, useState } from 'react';
import type { NamedRow } from '#contract/change-records.ts';
import { idsIn } from '#contract/recorded-fields.ts';
import type { NounName } from '#contract/ref.ts';
import { RowLink } from '../../kit/list/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import type { Told } from './changed-lines.ts';

/** So much more is shown at a time, since a browser stalls on thousands at once. */
export const STEP = 500;

interface MoreProps {
  readonly left: number;
  readonly onMore: () => void;
}

/** Leads on where not everything is shown yet, and says how much is left. */
export const More = ({ left, onMore }: MoreProps) =>
  left > 0 && (
    <Button onClick={onMore}>
      再显示 {Math.min(left, STEP)} 项（还有 {left} 项）
    </Button>
  );

export type Names = ReadonlyMap<string, NamedRow>;

/** The names of rows, by what and which they are. */
export const namesOf = (rows: readonly NamedRow[]): Names =>
  new Map(rows.map((row) => [`${row.noun} ${row.id}`, row]));

interface SideProps {
  readonly told: Told;
  readonly noun: NounName | undefined;
  readonly names: Names;
}

/** What stood in a field: rows by the names they have now, or by their numbers where they are gone. */
export function Side({ told, noun, names }: SideProps) {
  const [shown, setShown] = useState(STEP);
  if (noun === undefined || told.value === null) return told.text;
  const ids = idsIn(told.value);
  if (ids.length === 0) return told.text;
  return (
    <>
      {ids.slice(0, shown).map((id, place) => {
        const row = names.get(`${noun} ${id}`);
        return (
          <Fragment key={id}>
            {place > 0 && '、'}
            {row ? (
              <RowLink noun={noun} row={row.find}>
                {row.name}
              </RowLink>
            ) : (
              id
            )}
          </Fragment>
        );
      })}
      <More left={ids.length - shown} onMore={() => setShown(shown + STEP)} />
    </>
  );
}
