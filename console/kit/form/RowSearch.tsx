import { type ComponentProps, useId } from 'react';
import { useEndpoint } from '../call/use-endpoint.ts';
import { useMayOpen } from '../call/use-menus.ts';
import { NumberInput } from './NumberInput.tsx';
import { rowsIn, wordAt } from './options.ts';
import type { Searched } from './references.ts';
import { usePaused } from './use-paused.ts';

/** Shorter words are in too many names. */
const SHORTEST = 2;
const OFFERED = 10;

interface RowSearchProps extends ComponentProps<typeof NumberInput> {
  readonly among: Searched;
}

/**
 * The number of a row of which there are too many to list: typed, or chosen among those that the server finds by the name typed.
 * Whoever may not see those rows types the number.
 */
export function RowSearch({ among, ...input }: RowSearchProps) {
  const { list, search, name, screen } = among;
  const id = useId();
  const typed = usePaused(input.value.trim());
  const allowed = useMayOpen(screen);
  const asks = allowed && typed.length >= SHORTEST && !/^\d+$/.test(typed);
  const { data } = useEndpoint(
    list,
    { [search]: typed, currentPage: 1, pageSize: OFFERED },
    { enabled: asks, loading: false },
  );
  const found = asks ? rowsIn<object>(data) : [];
  return (
    <>
      <NumberInput {...input} inputMode="text" list={id} />
      <datalist id={id}>
        {found.map((row) => (
          <option
            key={wordAt('id')(row)}
            value={wordAt('id')(row)}
            label={`${wordAt(name)(row)}（${wordAt(search)(row)}）`}
          />
        ))}
      </datalist>
    </>
  );
}
