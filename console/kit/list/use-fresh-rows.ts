import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { liveLists, liveNounOf } from '#contract/happenings.ts';
import { readBehind } from '../call/ask-again.ts';
import { useLive } from '../call/live.ts';
import { isCovered } from '../overlay/overlays.ts';
import type { ListState } from './address.ts';
import { idOf, missedRows } from './missed-rows.ts';
import { forget, nothingTold, type Told, takeIn } from './told-rows.ts';

interface FreshRowsOptions {
  readonly endpoint: AnyEndpoint;
  readonly input: WireInput<AnyEndpoint>;
  readonly filters: ListState['filters'];
  readonly rows: readonly object[];
  /** What the rows came with. */
  readonly answer: unknown;
  readonly isFirstPage: boolean;
  /** When the rows were read. */
  readonly readAt: number;
  readonly isReading: boolean;
  readonly read: () => unknown;
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

/** Somebody has the mouse or a question over the rows: they must not move under the hand. */
function isBusy(body: HTMLElement | null): boolean {
  // A finger leaves nothing behind where it touched, though a browser takes it for a mouse that stays there.
  const isUnderMouse = mouse.matches && body?.matches(':hover') === true;
  return isUnderMouse || isCovered();
}

/** How much was told that is not shown; `show` says that it may be otherwise. */
function useCount(told: RefObject<Told>) {
  const [fresh, setFresh] = useState(nothing);
  const show = () => {
    const count = told.current.ids.size;
    const unknown = told.current.unknown !== undefined;
    // The list is not drawn again where it stays as it is.
    setFresh((before) =>
      before.count === count && before.unknown === unknown ? before : { count, unknown },
    );
  };
  return { fresh, show };
}

interface LookingBack
  extends Pick<FreshRowsOptions, 'endpoint' | 'input' | 'answer' | 'isFirstPage' | 'isReading'> {
  readonly told: RefObject<Told>;
  /** When the rows were last asked for. */
  readonly asked: RefObject<number>;
  readonly show: () => void;
}

/** Looks for what came between the reading of the rows and the beginning of telling: nobody told it. */
function useLookingBack({ told, asked, show, ...list }: LookingBack): () => Promise<void> {
  const { endpoint, input, answer, isFirstPage, isReading } = list;
  const looking = useRef(false);
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
  return lookBack;
}

/** Reads a list of what waits again once that is due and nobody is busy with its rows. */
function useReadingAgain(
  told: RefObject<Told>,
  { pending, read, body }: Pick<FreshRowsOptions, 'read' | 'body'> & { readonly pending: boolean },
): void {
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => {
      if (told.current.due === undefined || isBusy(body.current)) return;
      told.current.due = undefined;
      // A lock would take the keys that an operator is pressing in the rows.
      void readBehind(read);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [told, pending, read, body]);
}

/**
 * What came since a list was asked for. A list of what waits for somebody reads itself again as soon as nobody has the mouse over its rows;
 * every other one only says how many there are.
 */
export function useFreshRows({ filters, rows, readAt, read, body, ...list }: FreshRowsOptions): FreshRows {
  const noun = liveNounOf(list.endpoint);
  const waiting = Object.entries(noun ? liveLists[noun].waiting : {});
  const pending = noun !== undefined && waiting.every(([name, value]) => filters[name] === value);
  const told = useRef(nothingTold());
  const asked = useRef(0);
  const { fresh, show } = useCount(told);
  const lookBack = useLookingBack({ ...list, told, asked, show });

  useEffect(() => {
    if (list.isReading) asked.current = performance.now();
  }, [list.isReading]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was read, what was told before it was asked for is among it
  useEffect(() => {
    forget(told.current, asked.current, new Set(rows.map(idOf)));
    show();
    void lookBack();
  }, [readAt]);

  useLive(noun ? [noun] : [], (news) => {
    takeIn(told.current, news, { filters, pending, ids: new Set(rows.map(idOf)) }, performance.now());
    show();
    void lookBack();
  });

  useReadingAgain(told, { pending, read, body });
  return fresh;
}
