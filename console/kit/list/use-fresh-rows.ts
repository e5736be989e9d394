import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { type Happening, liveLists, liveNounOf } from '#contract/happenings.ts';
import { useLive } from '../call/live.ts';
import { isCovered } from '../overlay/overlays.ts';
import type { ListState } from './address.ts';
import { idOf, missedRows } from './missed-rows.ts';

type Filters = ListState['filters'];

interface FreshRowsOptions {
  readonly endpoint: AnyEndpoint;
  readonly input: WireInput<AnyEndpoint>;
  readonly filters: Filters;
  readonly rows: readonly object[];
  /** What the rows came with. */
  readonly answer: unknown;
  readonly isFirstPage: boolean;
  /** When the rows were read. */
  readonly readAt: number;
  readonly isReading: boolean;
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

/** Whether a row may be one of those searched for, by what is told of it. */
function mayMatch({ userId, gameId, status, what }: Happening, filters: Filters, pending: boolean): boolean {
  const isSame = (name: string, value: number | string | null) =>
    filters[name] === undefined || value === null || filters[name] === String(value);
  // What waits no more leaves a list of what waits.
  const told = pending && what === 'CHANGED' ? null : status;
  return isSame('userId', userId) && isSame('gameId', gameId) && isSame('status', told);
}

/** What is told of a row; whether it is searched for by anything else, only the list knows. */
const TOLD: ReadonlySet<string> = new Set(['userId', 'gameId', 'status']);

/** Somebody has the mouse or a question over the rows: they must not move under the hand. */
function isBusy(body: HTMLElement | null): boolean {
  // A finger leaves nothing behind where it touched, though a browser takes it for a mouse that stays there.
  const isUnderMouse = mouse.matches && body?.matches(':hover') === true;
  return isUnderMouse || isCovered();
}

/** What is not among the rows, with when it was told: what was told before the rows were asked for is among them. */
interface Told {
  readonly ids: Map<number, number>;
  /** That there is more than is known. */
  unknown: number | undefined;
  /** That the rows are to be read again. */
  due: number | undefined;
  /** That telling began. */
  begun: number | undefined;
}

const since = (at: number | undefined, asked: number) => (at !== undefined && at >= asked ? at : undefined);

/** Forgets what was told before the rows were asked for, or stands among them. */
function forget(told: Told, asked: number, shown: ReadonlySet<unknown>): void {
  for (const [id, at] of told.ids) if (at < asked || shown.has(id)) told.ids.delete(id);
  told.unknown = since(told.unknown, asked);
  told.due = since(told.due, asked);
  told.begun = since(told.begun, asked);
}

/**
 * What came since a list was asked for. A list of what waits for somebody reads itself again as soon as nobody has the mouse over its rows;
 * every other one only says how many there are.
 */
export function useFreshRows(options: FreshRowsOptions): FreshRows {
  const { endpoint, input, filters, rows, answer, readAt, isReading, isFirstPage, read, body } = options;
  const noun = liveNounOf(endpoint);
  const waiting = Object.entries(noun ? liveLists[noun].waiting : {});
  const pending = noun !== undefined && waiting.every(([name, value]) => filters[name] === value);
  const told = useRef<Told>({ ids: new Map(), unknown: undefined, due: undefined, begun: undefined });
  const isTold = Object.keys(filters).every((name) => TOLD.has(name));
  const looking = useRef(false);
  const asked = useRef(0);
  const [fresh, setFresh] = useState(nothing);
  const show = () => {
    const count = told.current.ids.size;
    const unknown = told.current.unknown !== undefined;
    // The list is not drawn again where it stays as it is.
    setFresh((before) =>
      before.count === count && before.unknown === unknown ? before : { count, unknown },
    );
  };

  useEffect(() => {
    if (isReading) asked.current = performance.now();
  }, [isReading]);

  /** What came between the reading of the rows and the beginning of telling is looked for: nobody told it. */
  const lookBack = async () => {
    const { begun } = told.current;
    if (begun === undefined || answer === undefined || isReading || looking.current) return;
    told.current.begun = undefined;
    looking.current = true;
    const missed = await missedRows({ endpoint, input, answer, isFirst: isFirstPage });
    looking.current = false;
    // Read again meanwhile, the rows have them.
    if (asked.current <= begun) {
      for (const id of missed.ids) told.current.ids.set(id, begun);
      if (missed.more) told.current.unknown = begun;
      show();
    }
    // More was told meanwhile.
    void lookBack();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was read, what was told before it was asked for is among it
  useEffect(() => {
    forget(told.current, asked.current, new Set(rows.map(idOf)));
    show();
    void lookBack();
  }, [readAt]);

  useLive(noun ? [noun] : [], ({ complete, begun, happenings }) => {
    const now = performance.now();
    const own = happenings.filter((one) => mayMatch(one, filters, pending));
    const shown = new Set(rows.map(idOf));
    const added = own.filter(({ id, what }) => what === 'ADDED' && !shown.has(id));
    if (isTold) for (const { id } of added) told.current.ids.set(id, now);
    else if (added.length > 0) told.current.begun = now;
    if (pending && (!complete || begun || own.length > 0)) told.current.due = now;
    if (!complete) told.current.unknown = now;
    if (begun && !pending) told.current.begun = now;
    show();
    void lookBack();
  });

  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => {
      if (told.current.due === undefined || isBusy(body.current)) return;
      told.current.due = undefined;
      read();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [pending, read, body]);
  return fresh;
}
