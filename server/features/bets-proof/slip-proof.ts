import { wordOf } from '#contract/fields.ts';
import { slipStatus } from '#contract/slips.ts';
import { type KeptRules, Untold } from './handlers-proof.ts';
import { amountText, type KeptLine, tenThousandths, type Wanted, wantedOf } from './line.ts';
import type { KeptMove, KeptSlip, KeptVoid, LedgerPart } from './proof-store.ts';

/** All that is known of a slip. */
export interface Known {
  readonly slip: KeptSlip;
  readonly lines: readonly KeptLine[];
  readonly rules: ReadonlyMap<number, KeptRules>;
  readonly voids: readonly KeptVoid[];
  readonly ledger: readonly LedgerPart[];
  readonly moves: readonly KeptMove[];
  /** What is left of lines' payouts once slips and players are capped; nothing for lines that no such cap is about. */
  readonly cut: ReadonlyMap<number, bigint>;
}
/** What decides a slip's lines. */
export type Deciding = Pick<Known, 'slip' | 'lines' | 'rules' | 'voids'>;

type Told = Pick<Wanted, 'payout' | 'refund' | 'status' | 'winningUnits' | 'pushedUnits'>;
const nothing = { payout: 0n, refund: 0n, winningUnits: 0, pushedUnits: 0 };

function isVoid({ slip, voids }: Deciding, line: KeptLine): boolean {
  return voids.some(
    (each) =>
      each.gameId === slip.gameId &&
      each.phase === slip.phase &&
      [null, line.playWayId].includes(each.playWayId) &&
      [null, slip.id].includes(each.slipId) &&
      (each.createTimeFrom === null || slip.createTime >= each.createTimeFrom) &&
      (each.createTimeTo === null || slip.createTime <= each.createTimeTo),
  );
}

/** Lines of the same content are told once. */
export type Memory = Map<string, Wanted | Untold>;

function told(known: Deciding, line: KeptLine, memory: Memory): Wanted {
  const { slip, rules } = known;
  const key = JSON.stringify([line.rulesId, line.unitStake, line.selection, slip.result, slip.drawTime]);
  let wanted = memory.get(key);
  try {
    const own = rules.get(line.rulesId);
    if (!own) throw new Untold('没有规则');
    wanted ??= wantedOf(line, own, slip.result ?? '', slip.drawTime.slice(0, 10));
  } catch (error) {
    wanted = new Untold(error instanceof Error ? error.message : String(error));
  }
  memory.set(key, wanted);
  if (wanted instanceof Untold) throw wanted;
  return wanted;
}

/** What a line should be before slips and players are capped. Throws `Untold`. */
export function lineWanted(known: Deciding, line: KeptLine, memory: Memory): Told {
  if (known.slip.status === 'CANCELLED')
    return { ...nothing, refund: tenThousandths(line.stake), status: 'CANCELLED' };
  if (isVoid(known, line)) return { ...nothing, refund: tenThousandths(line.stake), status: 'VOID' };
  if (known.slip.result === null) return { ...nothing, status: 'PENDING' };
  const wanted = told(known, line, memory);
  if (wanted.units !== line.units) throw new Untold(`注数应为 ${wanted.units}，记为 ${line.units}`);
  return wanted;
}

const order = ['CANCELLED', 'PENDING', 'WON'];
function statusOf(lines: readonly Told[]): string {
  const counting = lines.map(({ status }) => status).filter((status) => status !== 'VOID');
  if (counting.length === 0) return 'VOID';
  const first = order.find((status) => counting.includes(status));
  return first ?? (counting.every((status) => status === 'PUSHED') ? 'PUSHED' : 'LOST');
}

const word = (status = ''): string => `“${wordOf(slipStatus, status)}”`;
const differs = (what: string, is: string, wanted: bigint): string[] =>
  tenThousandths(is) === wanted ? [] : [`${what}应为 ${amountText(wanted)}，记为 ${is}`];
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

/** Whether a slip is what its rules and its draw make of it. One that is being settled, or waits for a person, is not yet. */
function problemsOfDraw(known: Known, memory: Memory): string[] {
  const { slip, lines } = known;
  if (slip.isOpen || slip.isHeld) return [];
  try {
    const wanted = lines.map((line) => {
      const uncut = lineWanted(known, line, memory);
      return { ...uncut, payout: known.cut.get(line.id) ?? uncut.payout };
    });
    const wrong = lines.flatMap((line, place) => {
      const { status, winningUnits = 0, pushedUnits = 0, payout = 0n, refund = 0n } = wanted[place] ?? {};
      const isSame =
        line.status === status && line.winningUnits === winningUnits && line.pushedUnits === pushedUnits;
      return [
        ...(isSame ? [] : [`注项 ${line.id} 应为${word(status)}，记为${word(line.status)}`]),
        ...differs(`注项 ${line.id} 的派彩`, line.payout, payout),
        ...differs(`注项 ${line.id} 的退还`, line.refund, refund),
      ];
    });
    const status = statusOf(wanted);
    return [
      ...wrong,
      ...(slip.status === status ? [] : [`应为${word(status)}，记为${word(slip.status)}`]),
      ...differs('派彩', slip.payout, total(wanted.map(({ payout }) => payout))),
      ...differs('退还', slip.refund, total(wanted.map(({ refund }) => refund))),
    ];
  } catch (error) {
    return [`无法复算：${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Whether the ledger moved what the slip says, for its own player, and the stake once. */
function problemsOfLedger({ slip, lines, ledger }: Known): string[] {
  const moved = (...kinds: string[]) =>
    total(
      ledger
        .filter(({ changeType }) => kinds.includes(changeType))
        .map(({ amount }) => tenThousandths(amount)),
    );
  const stake = total(lines.map((line) => tenThousandths(line.unitStake) * BigInt(line.units)));
  return [
    ...(lines.length === 0 ? ['没有注项'] : []),
    ...differs('投注额', slip.stake, stake),
    ...differs('账变中的投注', amountText(moved('BET')), tenThousandths(slip.stake)),
    ...differs('账变中的派彩', amountText(moved('WIN') - moved('WIN_REVERSAL')), tenThousandths(slip.payout)),
    ...differs(
      '账变中的退还',
      amountText(moved('BET_REFUND') - moved('REFUND_REVERSAL')),
      tenThousandths(slip.refund),
    ),
    ...(ledger.some(({ userId }) => userId !== slip.userId) ? ['账变记在别的用户名下'] : []),
  ];
}

/** Whether its settlements are numbered without gaps and add up to what it is. */
function problemsOfMoves({ slip, moves }: Known): string[] {
  if (slip.status === 'CANCELLED') return moves.length > 0 ? ['已撤单却有结算'] : [];
  const sums = { payout: 0n, refund: 0n };
  const wrong = moves.flatMap((move, place) => {
    sums.payout += tenThousandths(move.movedPayout);
    sums.refund += tenThousandths(move.movedRefund);
    return [
      ...(move.n === place + 1 ? [] : [`结算的序号不连续：第 ${place + 1} 次记为 ${move.n}`]),
      ...differs(`第 ${move.n} 次结算后的派彩`, move.payout, sums.payout),
      ...differs(`第 ${move.n} 次结算后的退还`, move.refund, sums.refund),
    ];
  });
  return [
    ...wrong,
    ...differs('派彩（按各次结算）', slip.payout, sums.payout),
    ...differs('退还（按各次结算）', slip.refund, sums.refund),
  ];
}

/** All that is wrong with a slip, as Chinese sentences. */
export const problemsOf = (known: Known, memory: Memory): string[] => [
  ...problemsOfLedger(known),
  ...problemsOfMoves(known),
  ...problemsOfDraw(known, memory),
];
