import { z } from 'zod';

/** What an operator says of a beacon: where each of its rounds is published, and when. */
export const beaconOptions = z.object({
  /** With `{round}`, the round's number from 1, or `{time}`, when it is published in epoch seconds. */
  url: z
    .string()
    .max(500)
    .regex(/^\S*(\{round\}|\{time\})\S*$/),
  /** Where in the answer the value is: a JSONPath to one place. */
  value: z
    .string()
    .max(200)
    .regex(/^[^\r\n]+$/),
  /** When the first round was published, in epoch seconds, and how many seconds lie between two. */
  genesis: z.int().min(0).max(4_000_000_000),
  period: z.int().min(1).max(86_400),
  /** For how long a draw waits for the value before it is given up. */
  waitMinutes: z.int().min(1).max(10_080).default(1_440),
});

/** What a promise names beforehand: the one round a draw waits for. `time` is when it is published, in epoch seconds. */
export interface PromisedBeacon {
  readonly address: string;
  readonly value: string;
  readonly time: number;
  readonly waitMinutes: number;
}

/** The first round that is published after a draw time (in epoch seconds), when nobody can bet any more. */
export function beaconAfter(
  { url, value, genesis, period, waitMinutes }: z.infer<typeof beaconOptions>,
  drawTime: number,
): PromisedBeacon {
  const before = Math.max(0, Math.floor((drawTime - genesis) / period) + 1);
  const time = genesis + before * period;
  const address = url.replaceAll('{round}', String(before + 1)).replaceAll('{time}', String(time));
  return { address, value, time, waitMinutes };
}

/** Until when a draw waits for its beacon, in epoch seconds. */
export const beaconDeadline = ({ time, waitMinutes }: PromisedBeacon): number => time + waitMinutes * 60;
