import type { EndpointName } from '#contract/all.ts';
import { Refusal } from '#server/refusal.ts';

/** Declared calls whose handlers are still to come: they answer 501 and are listed by `npm run contract:missing`. */
export const missing = [] as const satisfies readonly EndpointName[];

const notImplemented = (): never => {
  throw new Refusal('notImplemented');
};

export const missingHandlers = Object.fromEntries(missing.map((name) => [name, notImplemented])) as Record<
  (typeof missing)[number],
  typeof notImplemented
>;
