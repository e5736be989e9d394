import { useCallback, useMemo, useRef, useState } from 'react';
import type { Line } from './tree-rows.ts';

/** Which rows an operator has selected. */
export interface Selection<R> {
  /** The selected rows as they were last read, by their line's key. */
  readonly rows: ReadonlyMap<string, R>;
  /** Selects a line or no longer; with `stretch` all between it and the one before. */
  readonly toggle: (key: string, stretch: boolean) => void;
  /** Whether all rows of the page are. */
  readonly all: boolean;
  /** Selects the rows of the page besides, or exactly these no longer. */
  readonly toggleAll: () => void;
  /** Selects exactly these. */
  readonly keep: (keys: Iterable<string>) => void;
}

/** Rows by their line's key, gathered when somebody first asks: of ten thousand that takes a while, and few lists are selected from. */
function gathered<R>(lines: readonly Line<R>[]): () => ReadonlyMap<string, R> {
  let known: ReadonlyMap<string, R> | undefined;
  const gather = () => new Map(lines.filter(({ detail }) => !detail).map(({ key, row }) => [key, row]));
  return () => {
    known ??= gather();
    return known;
  };
}

/**
 * The selection of a list: it outlasts turning the page and sorting, and shows each row as it was last read. Another search begins
 * without one: nobody could see any more what is selected.
 */
export function useSelection<R>(lines: readonly Line<R>[], search: object): Selection<R> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, R>>(new Map());
  const asked = JSON.stringify(search);
  const [of, setOf] = useState(asked);
  if (of !== asked) {
    setOf(asked);
    setChosen(new Map());
  }
  const last = useRef<string | undefined>(undefined);
  const here = useMemo(() => gathered(lines), [lines]);
  const rows = useMemo(
    () => new Map([...chosen].map(([key, row]) => [key, here().get(key) ?? row])),
    [chosen, here],
  );
  const toggle = useCallback(
    (key: string, stretch: boolean) => {
      const keys = [...here().keys()];
      const [from, to] = [keys.indexOf(last.current ?? key), keys.indexOf(key)];
      const span = stretch && from >= 0 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
      last.current = key;
      setChosen((before) => {
        const next = new Map(before);
        const drop = before.has(key);
        for (const one of span) {
          const row = here().get(one);
          if (drop) next.delete(one);
          else if (row !== undefined) next.set(one, row);
        }
        return next;
      });
    },
    [here],
  );
  const all = chosen.size > 0 && here().size > 0 && [...here().keys()].every((key) => chosen.has(key));
  const toggleAll = useCallback(
    () =>
      setChosen((before) =>
        all ? new Map([...before].filter(([key]) => !here().has(key))) : new Map([...before, ...here()]),
      ),
    [all, here],
  );
  const keep = useCallback((keys: Iterable<string>) => {
    const kept = new Set(keys);
    setChosen((before) => new Map([...before].filter(([key]) => kept.has(key))));
  }, []);
  return { rows, toggle, all, toggleAll, keep };
}
