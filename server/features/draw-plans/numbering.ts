import { addDays, dayOf, dayStart } from '#server/platform-days.ts';
import { countSlots, type Run, runsBetween, type Schedule, slotAt } from './slots.ts';

export type PhaseRule = 'RUNNING' | 'DAILY' | 'YEARLY';

/** A game as far as its plans depend on it. `phase` is the phase of the slot that contained `phaseTime`. */
export interface PlannedGame extends Schedule {
  readonly phaseRule: PhaseRule;
  /** Digits; its length is the width that leading zeros fill. */
  readonly phase: string;
  /** Epoch seconds. */
  readonly phaseTime: number;
}

/** A run with the phases of its slots: `prefix`, then `first`, `first + 1`, … filled with zeros to `width` digits. */
export interface NumberedRun extends Run {
  readonly prefix: string;
  /** Whole; more than 2^53 is possible, so a bigint. */
  readonly first: bigint;
  readonly width: number;
}

const DEFAULT_SERIAL_WIDTH = 3;
const DATE_DIGITS = 8;
const YEAR_DIGITS = 4;

/** Digits of the serial: what the game's phase shows after its date or year, else three. */
const serialWidth = (phase: string, dateDigits: number): number =>
  phase.length > dateDigits ? phase.length - dateDigits : DEFAULT_SERIAL_WIDTH;

const numbered = (run: Run, first: bigint, width: number, prefix = ''): NumberedRun => ({
  ...run,
  prefix,
  first,
  width,
});

/** The game's phase belongs to the slot of `phaseTime`; the others are counted from it, forwards and backwards. */
function runningNumbers(game: PlannedGame, runs: readonly Run[]): NumberedRun[] {
  const anchor = slotAt(game, game.phaseTime);
  if (anchor === null) return [];
  return runs.map((run) => {
    const first = BigInt(game.phase) + BigInt(countSlots(game, anchor.start, run.start));
    return numbered(run, first, game.phase.length);
  });
}

/** Tells of a run the moment by which its first slot belongs to a period (day, year), its others a rate apart. */
type Belonging = (run: Run) => number;
/** A day's slots are those whose betting begins on it. */
const byBetting: Belonging = ({ start }) => start;
/** A year's are those that are drawn in it: betting on its first draw may begin in the old one. A draw at midnight is the old day's. */
const byDraw: Belonging = ({ start, rate }) => start + rate - 1;

/** Cuts runs where a period ends, given the end of the period that a moment lies in. */
function cutAt(runs: readonly Run[], momentOf: Belonging, periodEnd: (moment: number) => number): Run[] {
  return runs.flatMap((run) => {
    const parts: Run[] = [];
    for (let rest = run; rest.count > 0; ) {
      const moment = momentOf(rest);
      const count = Math.min(rest.count, Math.ceil((periodEnd(moment) - moment) / rest.rate));
      parts.push({ ...rest, count });
      rest = { start: rest.start + count * rest.rate, rate: rest.rate, count: rest.count - count };
    }
    return parts;
  });
}

function dailyNumbers(game: PlannedGame, runs: readonly Run[]): NumberedRun[] {
  const { timeZone, phase } = game;
  const nextMidnight = (moment: number) => dayStart(addDays(dayOf(moment, timeZone), 1), timeZone);
  return cutAt(runs, byBetting, nextMidnight).map((run) => {
    const day = dayOf(run.start, timeZone);
    const before = countSlots(game, dayStart(day, timeZone), run.start);
    return numbered(run, BigInt(before + 1), serialWidth(phase, DATE_DIGITS), day.replaceAll('-', ''));
  });
}

/** How many slots that are drawn in a year come before one of them. */
function countOfYear(game: PlannedGame, yearStart: number, start: number): number {
  const turning = slotAt(game, yearStart - 1);
  const isDrawnAfter = turning !== null && byDraw(turning) >= yearStart;
  return countSlots(game, yearStart, start) + (isDrawnAfter ? 1 : 0);
}

/** The serial counts from the year's first draw; where the game's phase was set in that year, from that phase. */
function yearlyNumbers(game: PlannedGame, runs: readonly Run[]): NumberedRun[] {
  const { timeZone, phase } = game;
  const yearOf = (moment: number) => dayOf(moment, timeZone).slice(0, YEAR_DIGITS);
  const yearStart = (year: string) => dayStart(`${year}-01-01`, timeZone);
  const nextYear = (moment: number) => yearStart(String(Number(yearOf(moment)) + 1));
  const anchor = slotAt(game, game.phaseTime);
  const setIn = anchor && phase.length > YEAR_DIGITS ? yearOf(byDraw(anchor)) : null;
  return cutAt(runs, byDraw, nextYear).map((run) => {
    const year = yearOf(byDraw(run));
    const first =
      anchor && setIn === year && phase.startsWith(year)
        ? BigInt(phase.slice(YEAR_DIGITS)) + BigInt(countSlots(game, anchor.start, run.start))
        : BigInt(countOfYear(game, yearStart(year), run.start) + 1);
    return numbered(run, first, serialWidth(phase, YEAR_DIGITS), year);
  });
}

const rules: Readonly<Record<PhaseRule, (game: PlannedGame, runs: readonly Run[]) => NumberedRun[]>> = {
  RUNNING: runningNumbers,
  DAILY: dailyNumbers,
  YEARLY: yearlyNumbers,
};

/** The slots that begin in [from, to) (epoch seconds), with their phases. The same whatever else is asked, and when. */
export const numberedRuns = (game: PlannedGame, from: number, to: number): NumberedRun[] =>
  rules[game.phaseRule](game, runsBetween(game, from, to));

/** The phase of a run's slot, counted from 0. */
export const phaseIn = ({ prefix, first, width }: NumberedRun, index: number): string =>
  prefix + String(first + BigInt(index)).padStart(width, '0');

const MOST_SLOTS_KEPT = 1_000;
/** The slot each game was in when it was last asked for: every list of games asks for the same ones until the next begins. */
const slotsKept = new Map<string, NumberedRun>();

/** The phase of the slot that contains a moment (epoch seconds), or of the last one before it; the game's own without any. */
export function phaseAt(game: PlannedGame, moment: number): string {
  const { timeZone, openRate, timeRanges, phaseRule, phase, phaseTime } = game;
  const key = JSON.stringify([timeZone, openRate, timeRanges, phaseRule, phase, phaseTime]);
  const kept = slotsKept.get(key);
  if (kept && moment >= kept.start && moment < kept.start + kept.rate) return phaseIn(kept, 0);
  const slot = slotAt(game, moment);
  const [run] = slot === null ? [] : numberedRuns(game, slot.start, slot.start + 1);
  if (!run) return phase;
  if (slotsKept.size >= MOST_SLOTS_KEPT) slotsKept.clear();
  slotsKept.set(key, run);
  return phaseIn(run, 0);
}

const YEAR = '(?:19|20)[0-9]{2}';
const MONTH_AND_DAY = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])';

/** How the phases of a rule are written: the period that serials count in (a day, a year, or none), then the serial. */
const spelling: Readonly<Record<PhaseRule, RegExp>> = {
  RUNNING: /^()([0-9]+)$/,
  DAILY: new RegExp(`^(${YEAR}${MONTH_AND_DAY})([0-9]+)$`),
  YEARLY: new RegExp(`^(${YEAR})([0-9]+)$`),
};

function placeOf(rule: PhaseRule, phase: string): { period: string; serial: bigint } | undefined {
  const [, period, serial] = spelling[rule].exec(phase) ?? [];
  return period === undefined || serial === undefined ? undefined : { period, serial: BigInt(serial) };
}

/**
 * How a game itself writes a phase that its source tells with two digits of the year, as `23075` or `25/134`; any other stays as it is. Whole
 * epoch seconds tell the century.
 */
export function ownSpelling(game: PlannedGame, moment: number): (phase: string) => string {
  const current = phaseAt(game, moment);
  if (game.phaseRule === 'RUNNING') return (phase) => phase;
  return (phase) => {
    const whole = current.slice(0, 2) + phase.replace(/^(\d\d)\//, '$1');
    return whole.length === current.length && placeOf(game.phaseRule, whole) ? whole : phase;
  };
}

/**
 * Tells of phases whether they come before the one that is current at a moment (whole epoch seconds), by how the game numbers and
 * by nothing else. Of what is not written like the game's phases nobody can say so.
 */
export function pastPhases(game: PlannedGame, moment: number): (phase: string) => boolean {
  const current = placeOf(game.phaseRule, phaseAt(game, moment));
  return (phase) => {
    const place = placeOf(game.phaseRule, phase);
    if (!place || !current) return false;
    return place.period === current.period ? place.serial < current.serial : place.period < current.period;
  };
}
