import { type LiveNoun, type LiveWaiting, liveLists, liveNouns } from '#contract/happenings.ts';
import { useLiveWaiting } from '../kit/call/index.ts';

/** What waits on a screen. */
export interface Waiting {
  readonly path: string;
  readonly count: number;
  /** What the number means. */
  readonly words: string;
  /** Something has gone wrong, or others wait and not this operator, or neither. */
  readonly tone: 'bad' | 'own' | 'busy';
}

/** A queue of work is no bad news. */
const bad: ReadonlySet<LiveNoun> = new Set(['drawPlan', 'drawRecord', 'spider']);

function waitingFor(noun: LiveNoun, told: LiveWaiting): Waiting[] {
  const { screen: path, words } = liveLists[noun];
  const count = told[noun] ?? 0;
  if (count === 0) return [];
  if (noun !== 'approval')
    return [{ path, count, words: `${count} ${words}`, tone: bad.has(noun) ? 'bad' : 'busy' }];
  const own = told.releasable ?? 0;
  const said = `${count} ${words}，其中 ${own} 项可由您复核`;
  return [{ path, count, words: said, tone: own === 0 ? 'own' : 'busy' }];
}

/** What waits, by screen. */
export function useWaiting(): ReadonlyMap<string, Waiting> {
  const told = useLiveWaiting();
  const list = told ? liveNouns.flatMap((noun) => waitingFor(noun, told)) : [];
  return new Map(list.map((waiting) => [waiting.path, waiting]));
}

/** How much waits for this operator: what only others may release does not. */
export const sumOf = (told: LiveWaiting | null): number =>
  told
    ? liveNouns.reduce((sum, noun) => sum + ((noun === 'approval' ? told.releasable : told[noun]) ?? 0), 0)
    : 0;
