import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Happening, liveLists, liveNounOf } from '#contract/happenings.ts';
import { useLive } from '../call/live.ts';
import { readOverlays } from '../overlay/overlays.ts';
import type { ListState } from './address.ts';

type Filters = ListState['filters'];

interface FreshRowsOptions {
  readonly endpoint: AnyEndpoint;
  readonly filters: Filters;
  readonly rows: readonly object[];
  /** When the rows were read. */
  readonly readAt: number;
  readonly read: () => void;
  /** What holds the rows. */
  readonly body: RefObject<HTMLElement | null>;
}

/** How many rows there are beside those shown. */
interface FreshRows {
  readonly count: number;
  /** More happened than is known. */
  readonly unknown: boolean;
}

const nothing: FreshRows = { count: 0, unknown: false };
const mouse = window.matchMedia('(hover: hover)');
/** How often it is looked whether the rows may move again. */
const LOOK_MS = 400;

const idOf = (row: object): unknown => ('id' in row ? row.id : undefined);

/** Whether a row may be one of those searched for, by what is told of it. */
function mayMatch({ userId, gameId, status, what }: Happening, filters: Filters, pending: boolean): boolean {
  const isSame = (name: string, value: number | string | null) =>
    filters[name] === undefined || value === null || filters[name] === String(value);
  // What waits no more leaves a list of what waits.
  const told = pending && what === 'CHANGED' ? null : status;
  return isSame('userId', userId) && isSame('gameId', gameId) && isSame('status', told);
}

/** Somebody has the mouse or a question over the rows: they must not move under the hand. */
function isBusy(body: HTMLElement | null): boolean {
  const { popup, dialogs, tab } = readOverlays();
  // A finger leaves nothing behind where it touched, though a browser takes it for a mouse that stays there.
  const isUnderMouse = mouse.matches && body?.matches(':hover') === true;
  return isUnderMouse || popup !== null || dialogs.some((dialog) => dialog.tab === tab);
}

/**
 * What came since a list was read. A list of what waits for somebody reads itself again as soon as nobody has the mouse over its rows; every
 * other one only says how many there are.
 */
export function useFreshRows({ endpoint, filters, rows, readAt, read, body }: FreshRowsOptions): FreshRows {
  const noun = liveNounOf(endpoint);
  const waiting = Object.entries(noun ? liveLists[noun].waiting : {});
  const pending = noun !== undefined && waiting.every(([name, value]) => filters[name] === value);
  const ids = useRef(new Set<number>());
  const due = useRef(false);
  const [fresh, setFresh] = useState(nothing);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was read, what came before is among it
  useEffect(() => {
    ids.current.clear();
    due.current = false;
    setFresh(nothing);
  }, [readAt]);

  useLive(noun ? [noun] : [], ({ complete, happenings }) => {
    const own = happenings.filter((one) => mayMatch(one, filters, pending));
    const shown = new Set(rows.map(idOf));
    for (const { id, what } of own) if (what === 'ADDED' && !shown.has(id)) ids.current.add(id);
    if (pending && (!complete || own.length > 0)) due.current = true;
    setFresh((before) => ({ count: ids.current.size, unknown: before.unknown || !complete }));
  });

  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => {
      if (!due.current || isBusy(body.current)) return;
      due.current = false;
      read();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [pending, read, body]);
  return fresh;
}
