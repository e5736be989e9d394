import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { previewPlayWay as call, OutcomeOdds, PlayWayPreview } from '#contract/play-ways.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { wrong } from '#server/refusal.ts';
import { type LatestResult, latestResults } from '../bet-latitudes/bet-latitude-store.ts';
import { cappedPayout, cutAlone } from '../bets/capped-payout.ts';
import { capsOf, type PayoutCaps } from '../bets/caps-of.ts';
import { judge } from '../bets/judge.ts';
import { type Line, readLine } from '../bets/line.ts';
import type { Caps } from '../bets/line-rules.ts';
import { payoutOf, refundOf } from '../bets/payout.ts';
import { type Play, playOf, rowsOf } from '../bets/play.ts';
import { returnsOf } from '../bets/returns.ts';
import { BadSelection, type Selection } from '../bets/selection.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import type { ReadableLatitude } from '../result-handlers/winning-numbers.ts';
import { listOdds } from './play-way-store.ts';

const RESULTS_SHOWN = 10;

type Entered = Omit<Input<typeof call>, 'selection' | 'oddsFrom' | 'outcomes'> & {
  readonly selection: SelectionRule | null;
  readonly oddsFrom: OddsFrom;
  readonly outcomes: readonly OutcomeOdds[];
};

const wrongBet = (message: string) => wrong('bet', message);

/** The line that was entered. Throws a refusal at its field. */
function lineOf(bet: string, play: Play): Line {
  try {
    return readLine(play, bet);
  } catch (error) {
    if (error instanceof BadSelection) throw wrongBet(error.message);
    throw error;
  }
}

/** What cuts the payouts of a play way of a game; one that is not kept yet has the limits of its game. */
async function capsInForce(db: Db, gameId: number, id: number | undefined): Promise<Caps> {
  const { rows } = await sql<PayoutCaps>`
    select "payoutCapUnit", "payoutCapLine", "payoutCapSlip", "slipScope", "payoutCapUser", "payScope"
    from limits_of(${gameId}, ${id ?? null}::bigint)`.execute(db);
  return capsOf(given(rows[0])) ?? {};
}

interface TriedBet {
  readonly selection: Selection;
  readonly unitStake: string;
  readonly caps: Caps;
}

/** What a bet would have won in one draw, or why that cannot be told. */
function drawOf(play: Play, { selection, unitStake, caps }: TriedBet, drawn: LatestResult) {
  try {
    const judged = judge(selection, play, play.read(drawn.result, drawn.openTime));
    const won = judged.won.reduce((sum, { units }) => sum + units, 0);
    const payout = cutAlone(payoutOf(judged, unitStake, play.oddsOf, caps), caps);
    const refund = refundOf(judged, unitStake);
    return { ...drawn, won, pushed: judged.pushed, payout, refund, problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...drawn, won: 0, pushed: 0, payout: '0', refund: '0', problem: error.message };
  }
}

/** What a play way as it was entered returns, and what became of a bet on it in its game's latest draws. */
export async function previewPlayWay(
  db: Db,
  { id, bet, unitStake, ...entered }: Entered,
  latitude: ReadableLatitude & { readonly gameId: number },
  date: string,
): Promise<PlayWayPreview> {
  const { selection: rule, oddsFrom } = entered;
  const odds = id === undefined ? [] : ((await listOdds(db, [id])).get(id) ?? []);
  const rows = rowsOf(entered, odds);
  const resultRule = await resultRuleOf(db, latitude.gameId);
  const play = playOf({ latitude, selection: rule, oddsFrom, rows, resultRule });
  const told = returnsOf(play, date);
  const returns = {
    returnRate: told.best,
    outcomes:
      oddsFrom === 'OUTCOME'
        ? told.rows.map(({ number, returned }) => ({ name: number, returnRate: returned }))
        : [],
  };
  if (bet === undefined) return { ...returns, units: null, maxPayout: null, draws: [] };
  const { selection, units } = lineOf(bet, play);
  const caps = await capsInForce(db, latitude.gameId, id);
  const results = await latestResults(db, latitude.gameId, RESULTS_SHOWN);
  return {
    ...returns,
    units,
    maxPayout: cappedPayout(play, selection, unitStake, date, caps),
    capped: Object.keys(caps).length > 0,
    draws: results.map((drawn) => drawOf(play, { selection, unitStake, caps }, drawn)),
  };
}
