import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { approvalIdOf } from '#contract/approvals.ts';
import { failures } from '#contract/failures.ts';
import { call } from '../call/call.ts';
import { CallFailed } from '../call/call-failed.ts';
import { newIdempotencyKey } from '../call/idempotency-key.ts';
import type { BulkGroup, BulkItem } from './BulkBar.tsx';

/** How a row ended; one that was submitted waits for a second operator and is neither done nor to be tried again. */
export interface End {
  readonly as: 'done' | 'submitted' | 'failed';
  readonly said: string;
}
export type Ends = ReadonlyMap<string, End>;

const done: End = { as: 'done', said: '成功' };
const submitted: End = { as: 'submitted', said: '已提交，等待复核' };
const failed = (said: string): End => ({ as: 'failed', said });

/** So many rows are on their way at once: the server has others to serve. */
const AT_ONCE = 4;

/** Whoever is asked for a code and gives none is not asked again for every row that is left. */
const needsCode = (end: End | undefined): boolean => end?.said === failures.stepUpNeeded.msg;

/**
 * Sends a call for each of several rows and tells how each ended. A row whose answer was lost goes out again under the same key, so that
 * trying again never does it twice.
 */
export function useBulkRun({ endpoint }: BulkGroup) {
  const client = useQueryClient();
  const [ends, setEnds] = useState<Ends>(new Map());
  const [running, setRunning] = useState(false);
  const keys = useRef(new Map<string, string>());
  const stopped = useRef(false);

  const one = async ({ key, input }: BulkItem, entered: object): Promise<End> => {
    const idempotencyKey = keys.current.get(key) ?? newIdempotencyKey();
    keys.current.set(key, idempotencyKey);
    let end: End;
    try {
      const options = { loading: false, quiet: true, idempotencyKey };
      const data = await call(endpoint, { ...Object(input), ...entered }, options);
      end = endpoint.approval && approvalIdOf(data) !== undefined ? submitted : done;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      // What was refused for good may be tried anew; what got no answer must keep its key.
      if (error.settled) keys.current.delete(key);
      end = failed(Object.values(error.fieldErrors)[0] ?? error.message);
    }
    setEnds((before) => new Map(before).set(key, end));
    return end;
  };

  /** Sends these rows and answers how they ended; the first alone, since it may have to wait for a code. */
  const run = async (items: readonly BulkItem[], entered: object): Promise<Ends> => {
    const known = new Map<string, End>();
    stopped.current = false;
    setRunning(true);
    setEnds(new Map());
    const rest = [...items];
    const work = async () => {
      for (let item = rest.shift(); item && !stopped.current; item = rest.shift()) {
        const end = await one(item, entered);
        known.set(item.key, end);
        if (needsCode(end)) rest.length = 0;
      }
    };
    const first = rest.splice(1);
    await work();
    if (!needsCode([...known.values()][0])) {
      rest.push(...first);
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
    for (const { key } of items) if (!known.has(key)) known.set(key, failed('未执行'));
    setEnds(known);
    setRunning(false);
    void client.invalidateQueries();
    return known;
  };
  const stop = () => {
    stopped.current = true;
  };
  return { run, stop, running, ends };
}
