import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import {
  getMoneyDesk,
  MOST_PASSED,
  type OrderKey,
  type OrderKind,
  putBackOrder,
  takeNextOrder,
  takeOrder,
} from '#contract/money-desk.ts';
import { call, useCommand, useEndpoint } from '../../kit/call/index.ts';
import { useFresh } from '../../parts/use-fresh.ts';
import { useDecidedKinds } from './decided-kinds.ts';

/** What others place, take and decide is told at once; that time goes by, and takes run out, is seen so often. */
const POLL_MS = 15_000;

export const isSame = (one: OrderKey | null, other: OrderKey): boolean =>
  one?.kind === other.kind && one.id === other.id;

/** Puts back what is left behind, when the screen is closed or another tab shown and when the page is; has it taken again on coming back. */
function useLeaving(current: OrderKey | null, onBack: (left: OrderKey) => void): void {
  const held = useRef(current);
  const left = useRef<{ readonly order: OrderKey; readonly gone: Promise<unknown> } | null>(null);
  const back = useEffectEvent(onBack);
  useEffect(() => {
    held.current = current;
  });
  useEffect(() => {
    const leave = () => {
      if (!held.current) return;
      const order = held.current;
      held.current = null;
      // Should it not arrive, the order is free once its time is over.
      const options = { loading: false, quiet: true, keepalive: true };
      left.current = { order, gone: call(putBackOrder, order, options).catch(() => undefined) };
    };
    const comeBack = () => {
      const was = left.current;
      left.current = null;
      if (was) void was.gone.then(() => back(was.order));
    };
    comeBack();
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
      leave();
    };
  }, []);
}

/** What waits, of the kind that the address asks for, read again whenever it may be otherwise. */
function useQueue() {
  const [params, setParams] = useSearchParams();
  const kinds = useDecidedKinds();
  const kind = kinds.find((each) => each === params.get('kind')) ?? null;
  const setKind = (wanted: OrderKind | null) => setParams(wanted ? { kind: wanted } : {}, { replace: true });
  const read = useEndpoint(getMoneyDesk, kind ? { kind } : {}, { everyMs: POLL_MS });
  useFresh(['deposit', 'withdrawal', 'approval'], read.refetch);
  return { read, kinds, kind, setKind };
}

/** The queue as it was read, and the order that lies on the desk. */
export function useDesk() {
  const queue = useQueue();
  const [current, setCurrent] = useState<OrderKey | null>(null);
  const [passed, setPassed] = useState<readonly OrderKey[]>([]);
  const taking = useCommand(takeNextOrder, { loading: false, tell: true });
  const takingThis = useCommand(takeOrder, { loading: false, tell: true });
  const puttingBack = useCommand(putBackOrder, { loading: false, tell: true });
  useLeaving(current, async (order) => {
    // Why it cannot be had again is told; it may be another that lies here by now.
    if (!(await takingThis.run({ ...order, over: false })))
      setCurrent((now) => (isSame(now, order) ? null : now));
  });

  const takeNext = async (leftOut: readonly OrderKey[]) => {
    const answer = await taking.run({
      passed: leftOut.map(({ kind, id }) => ({ kind, id })),
      ...(queue.kind ? { kind: queue.kind } : {}),
    });
    if (answer) setCurrent(answer.order);
    // Once round, what was passed over comes again.
    if (answer?.order === null) setPassed([]);
  };
  const putBack = async () => {
    if (current) await puttingBack.run(current);
    setCurrent(null);
  };
  return {
    ...queue,
    current,
    busy: taking.running || takingThis.running || puttingBack.running,
    putBack,
    /** The next one; what lies on the desk goes back and is passed over. */
    next: async () => {
      const left = current ? [...passed, current].slice(-MOST_PASSED) : passed;
      if (current) await puttingBack.run(current);
      setPassed(left);
      await takeNext(left);
    },
    /** The next one, once the one on the desk is decided. */
    decided: () => takeNext(passed),
    take: async (key: OrderKey, over = false) => {
      const taken = await takingThis.run({ kind: key.kind, id: key.id, over });
      if (!taken) return;
      if (current && !isSame(current, key)) await puttingBack.run(current);
      setCurrent({ kind: key.kind, id: key.id });
    },
  };
}
