import type { Decimal } from 'decimal.js';
import type { Input } from '#contract/endpoint.ts';
import type { Sandbox, SandboxPhase, tryRules } from '#contract/rule-sandbox.ts';
import type { Db } from '#server/db/database.ts';
import { latestResults } from '../bet-latitudes/bet-latitude-store.ts';
import { type LineRules, readLineRules } from '../bets/line-rules.ts';
import { type ResultHandler, Unreadable } from '../result-handlers/result-handler.ts';
import { keptRules, linesBeside, type Room, type SettledLine, settledLines } from './settled-lines.ts';
import { noSums, type Rules, type Sums, tryLines } from './try-lines.ts';

/** So much is looked at in one call, the latest phases first: a moment's work. */
const MOST: Readonly<Room> = { slips: 5_000, lines: 10_000 };

type Wanted = Input<typeof tryRules>;

const text = (amount: Decimal): string => amount.toFixed(Math.max(2, amount.decimalPlaces()));

const told = ({ lines, stake, paid, tried, changed }: Sums) => ({
  ...{ lines, stake: text(stake), paid: text(paid), tried: text(tried), changed },
  difference: text(paid.minus(tried)),
});

const added = (one: Sums, other: Sums): Sums => ({
  lines: one.lines + other.lines,
  stake: one.stake.plus(other.stake),
  paid: one.paid.plus(other.paid),
  tried: one.tried.plus(other.tried),
  changed: one.changed + other.changed,
  problem: null,
});

/** The tried rules of lines: their own selections, odds and caps, read by another handler. */
function trying(wanted: Wanted, handler: ResultHandler): (kept: LineRules) => LineRules {
  const options = handler.options.parse(wanted.handlerOptions ? JSON.parse(wanted.handlerOptions) : {});
  const { resultIndex } = wanted;
  return (kept) => ({
    ...kept,
    ...{ handler: handler.name, version: handler.version, options },
    latitude: { ...kept.latitude, resultIndex },
  });
}

/** Rules of lines by the ids of their copies, each read once. */
type Book = Map<number, () => Rules>;

/** A copy of rules is read when a line needs it: one that is broken is told of with its lines. */
async function rulesOf(
  db: Db,
  book: Book,
  lines: readonly SettledLine[],
  tried: (kept: LineRules) => LineRules,
): Promise<(line: SettledLine) => Rules> {
  const fresh = [...new Set(lines.map(({ rulesId }) => rulesId))].filter((id) => !book.has(id));
  for (const [id, json] of await keptRules(db, fresh))
    book.set(id, () => {
      const kept = readLineRules(json);
      const rules = { kept, tried: tried(kept) };
      book.set(id, () => rules);
      return rules;
    });
  return ({ rulesId }) => {
    const read = book.get(rulesId);
    if (!read) throw new Error('a line has no rules');
    return read();
  };
}

/** The players whose lines are capped together with others of a phase. */
function usersCapped(lines: readonly SettledLine[], rules: (line: SettledLine) => Rules): Set<number> {
  const isCapped = (line: SettledLine): boolean => {
    try {
      const { caps } = rules(line).kept;
      return caps?.slip !== undefined || caps?.user !== undefined;
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  };
  return new Set(lines.filter(isCapped).map(({ userId }) => userId));
}

/** Tries a way to read results on the real slips of a game's last phases. Changes nothing. */
export async function sandboxOf(db: Db, wanted: Wanted, handler: ResultHandler): Promise<Sandbox> {
  const { gameId, id: latitudeId, playWayId, last, result } = wanted;
  const room = { ...MOST };
  const [book, tried]: [Book, ReturnType<typeof trying>] = [new Map(), trying(wanted, handler)];
  const phases: SandboxPhase[] = [];
  let totals = noSums();
  for (const drawn of await latestResults(db, gameId, last)) {
    const { phase } = drawn;
    const { lines, isWhole } = await settledLines(db, { gameId, latitudeId, playWayId }, phase, room);
    const users = usersCapped(lines, await rulesOf(db, book, lines, tried));
    const others = await linesBeside(db, { gameId, phase, users }, lines, room);
    const rules = await rulesOf(db, book, others.lines, tried);
    const draw = { result: result ?? drawn.result, drawTime: drawn.openTime };
    const sums = await tryLines({ lines, beside: others.lines }, rules, draw, result !== undefined);
    totals = added(totals, sums);
    phases.push({
      ...{ ...drawn, result: draw.result, ...told(sums), problem: sums.problem },
      isWhole: isWhole && others.isWhole,
    });
  }
  return { handlerVersion: handler.version, totals: told(totals), phases };
}
