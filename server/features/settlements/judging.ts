import { type Draw, judgeOfDraw } from '../bets/judge-lines.ts';
import { type LineRules, readLineRules } from '../bets/line-rules.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import type { JudgedLine } from './target.ts';

/** A line of a slip as it was placed. */
export interface PlacedLine {
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
}

/** Why a line cannot be judged, as a Chinese sentence. */
export interface Unjudged {
  readonly problem: string;
}

function orProblem<T>(work: () => T): T | Unjudged {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    // A rule that breaks its handler is broken, and holds its own slips only.
    return { problem: `规则无法执行：${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * Judges lines by a draw; `rules` tells the copy that a line was placed by. Lines of the same content are judged once, since most slips of
 * a phase say what others say.
 */
export function judging(
  draw: Draw,
  rules: (id: number) => unknown,
): (line: PlacedLine) => JudgedLine | Unjudged {
  const judge = judgeOfDraw(draw);
  const read = new Map<number, LineRules | Unjudged>();
  const told = new Map<string, JudgedLine | Unjudged>();
  return ({ rulesId, selection, unitStake }) => {
    const key = `${rulesId} ${unitStake} ${selection}`;
    const known = told.get(key);
    if (known) return known;
    const own = read.get(rulesId) ?? orProblem(() => readLineRules(rules(rulesId)));
    read.set(rulesId, own);
    const line = 'problem' in own ? own : orProblem(() => judge({ rules: own, selection, unitStake }));
    told.set(key, line);
    return line;
  };
}
