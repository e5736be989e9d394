import type { Input } from '#contract/endpoint.ts';
import type { ChangedOdds, placeBet } from '#contract/platform-bets.ts';
import { Refusal } from '#server/refusal.ts';
import { cappedPayout } from '../bets/capped-payout.ts';
import { capsOf } from '../bets/caps-of.ts';
import { type LineOdds, lineOdds, numbersOf, oddsChange } from '../bets/line.ts';
import type { Play } from '../bets/play.ts';
import { BadSelection, type Selection } from '../bets/selection.ts';
import { type BettingPlays, readKnownLine } from './betting-plays.ts';
import type { OfferedPlayWay } from './catalogue.ts';

export type WantedSlip = Input<typeof placeBet>;
type WantedLine = WantedSlip['lines'][number];

/** A line that may be placed: what is kept of it. */
export interface ReadLine {
  readonly playWay: OfferedPlayWay;
  readonly play: Play;
  readonly selection: string;
  readonly units: number;
  readonly unitStake: string;
  readonly odds: LineOdds;
  readonly maxPayout: string;
  /** Whether the odds changed from those the player saw in a way that the slip does not accept. */
  readonly isChanged: boolean;
}

const accepted = {
  SAME: ['SAME'],
  BETTER: ['SAME', 'BETTER'],
  ANY: ['SAME', 'BETTER', 'WORSE'],
} as const;

/** What a sentence about a line is told with: its place, from 1. */
const at = (place: number, values: Readonly<Record<string, string>> = {}) => ({
  field: 'lines',
  values: { ...values, place: place + 1 },
});

/** Does what may find a selection wrong. Throws a refusal in its words. */
function reading<T>(failure: 'selectionWrong' | 'oddsMissing', place: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadSelection)) throw error;
    throw new Refusal(failure, at(place, { message: error.message }));
  }
}

/** Throws where betting on the play way or on one of the numbers is stopped. */
function demandTaken({ name, stopped, odds }: OfferedPlayWay, selection: Selection, place: number): void {
  if (stopped) throw new Refusal('playWayStopped', at(place, { name }));
  const off = new Set(odds.filter((row) => row.stopped).map(({ number }) => number));
  const number = off.size > 0 ? numbersOf(selection).find((each) => off.has(each)) : undefined;
  if (number !== undefined) throw new Refusal('numberStopped', at(place, { number }));
}

function isChanged(
  play: Play,
  selection: Selection,
  seen: WantedLine['odds'],
  accept: keyof typeof accepted,
) {
  if (seen === undefined) return false;
  const change = oddsChange(play, selection, seen);
  return !accepted[accept].some((each) => each === change);
}

/** Reads lines by the play ways of their game, for a draw on that day. Throws a refusal of its own for whatever is wrong with one. */
export function readLines(
  { lines, acceptOdds = 'SAME' }: Pick<WantedSlip, 'lines' | 'acceptOdds'>,
  playsOf: BettingPlays,
  date: string,
): ReadLine[] {
  return lines.map(({ playWayId, selection: text, unitStake, odds: seen }, place) => {
    const { playWay, play } = playsOf(playWayId) ?? {};
    if (!playWay) throw new Refusal('playWayGone', at(place));
    if (!play) throw new Refusal('playWayUnreadable', at(place, { name: playWay.name }));
    const { selection, units } = reading('selectionWrong', place, () => readKnownLine(play, text));
    demandTaken(playWay, selection, place);
    const odds = reading('oddsMissing', place, () => lineOdds(play, selection));
    return {
      ...{ playWay, play, selection: text, units, unitStake, odds },
      maxPayout: cappedPayout(play, selection, unitStake, date, capsOf(playWay.limits) ?? {}),
      isChanged: isChanged(play, selection, seen, acceptOdds),
    };
  });
}

/** Throws where odds changed, and tells the new ones of those lines. */
export function demandOddsAccepted(lines: readonly ReadLine[]): void {
  const changed: ChangedOdds['lines'] = lines
    .map(({ playWay: { id: playWayId }, odds, isChanged }, index) => ({
      told: { place: index + 1, playWayId, odds: typeof odds === 'string' ? odds : [...odds] },
      isChanged,
    }))
    .filter((line) => line.isChanged)
    .map(({ told }) => told);
  if (changed.length === 0) return;
  const places = changed.map(({ place }) => place).join('、');
  throw new Refusal('oddsChanged', { field: 'lines', values: { places }, told: { lines: changed } });
}
