import { setTimeout as sleep } from 'node:timers/promises';

/** What a process that asks now and then is told; it answers with the milliseconds that each answer took. */
export interface Calm {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly pauseMs: number;
}

// An operator who looks at a list now and then, in a process of its own: how long each answer takes, until the word to stop.
process.once('message', async (calm: Calm) => {
  const times: number[] = [];
  let over = false;
  process.once('message', () => {
    over = true;
  });
  while (!over) {
    const began = performance.now();
    const answer = await fetch(calm.url, { method: 'POST', headers: calm.headers, body: calm.body });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`answered with ${answer.status}`);
    times.push(performance.now() - began);
    await sleep(calm.pauseMs);
  }
  process.send?.(times);
  process.disconnect();
});
