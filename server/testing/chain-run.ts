import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { subtractBalance, writeOffDebt } from '#contract/accounts.ts';
import { approvalIdOf, releaseApproval } from '#contract/approvals.ts';
import { applyCorrection, previewCorrection } from '#contract/corrections.ts';
import { reviewDeposit } from '#contract/deposits.ts';
import { resolveDrawRecord } from '#contract/draw-records.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { releaseHeldSlips, unvoidPhase, voidPhase } from '#contract/settlements.ts';
import { cancelSlip } from '#contract/slips.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { groundOf } from '#server/features/settlements/correction-ground.ts';
import { digestHead } from '#server/features/settlements/correction-preview.ts';
import { answered } from './answered.ts';
import { claimResults, playWays, recordResult } from './build-slips.ts';
import { type Act, type Chain, results } from './chain-acts.ts';
import { buildChain, type ChainGround, type ChainPlace, windowOf } from './chain-ground.ts';
import { ChainModel, slipStake, textOf, type Units, type Void } from './chain-model.ts';
import { expectForeseen } from './foreseen-correction.ts';
import { given } from './given.ts';
import { type Applied, expectPosted } from './posted-correction.ts';

type Of<K extends Act['kind']> = Extract<Act, { kind: K }>;
/** Asked for where there is nothing to take. */
const ONE = 10_000n;

/** One chain under way: the server beside the model. */
export class ChainRun {
  readonly model: ChainModel;
  readonly #ground: ChainGround;
  readonly #chain: Chain;
  readonly #balances: readonly Units[];
  #at: ChainPlace = { gameId: 0, phase: '', users: [], slipIds: [] };
  #recordId: number | undefined;
  readonly #frozen: { id: number; player: number; amount: Units }[] = [];
  #applied: Applied | undefined;

  constructor(ground: ChainGround, chain: Chain) {
    this.#ground = ground;
    this.#chain = chain;
    const stakeOf = (who: number) =>
      chain.slips.filter(({ player }) => player === who).reduce((sum, slip) => sum + slipStake(slip), 0n);
    this.#balances = chain.balances.map((balance, who) => balance + stakeOf(who));
    this.model = new ChainModel(this.#balances, chain.slips);
  }

  get userIds(): readonly number[] {
    return this.#at.users.map(({ userId }) => userId);
  }
  get gameId(): number {
    return this.#at.gameId;
  }
  get slipIds(): readonly number[] {
    return this.#at.slipIds;
  }
  #count(what: string): void {
    const { tally } = this.#ground;
    tally[what] = (tally[what] ?? 0) + 1;
  }
  async build(): Promise<void> {
    this.#at = await buildChain(this.#ground, this.#balances, this.#chain.slips);
    for (const { isCancelled } of this.#chain.slips) if (isCancelled) this.#count('slips cancelled');
  }

  /** Whether the phase's draw comes with this step. */
  isDrawnAt(step: number): boolean {
    return step === this.#chain.recordAt;
  }
  /** Takes a step; none where the chain has come to its end. */
  async step(step: number): Promise<void> {
    if (this.isDrawnAt(step)) await this.#record();
    const act = this.#chain.acts[step];
    if (act) await this.#act(act);
  }
  /** Lets go what waits for a look at the end. */
  async end(): Promise<void> {
    if (this.model.held.size > 0) await this.#release({ kind: 'release', which: null });
  }
  async #act(act: Act): Promise<void> {
    if (act.kind === 'correct') await this.#correct(act);
    else if (act.kind === 'void') await this.#void(act);
    else if (act.kind === 'voidSlip') await this.#voidSlip(act);
    else if (act.kind === 'unvoid') await this.#unvoid(act);
    else if (act.kind === 'release') await this.#release(act);
    else if (act.kind === 'decide') await this.#decide(act);
    else if (act.kind === 'deposit') await this.#deposit(act);
    else if (act.kind === 'withdraw') await this.#withdraw(act);
    else if (act.kind === 'spend') await this.#spend(act);
    else await this.#writeOff(act);
  }

  async #record(): Promise<void> {
    const { db } = this.#ground.server;
    this.#recordId = await recordResult(db, this.#at, results[0]);
    await claimResults(db, this.#recordId, results.slice(1));
    this.model.result = results[0];
    this.model.begin();
  }

  /** Does a call, which a second operator releases where it waits for one; compares whether it was done with whether it may be. */
  async #do<E extends AnyEndpoint>(isGood: boolean, endpoint: E, input: WireInput<E>): Promise<boolean> {
    const { admin, second } = this.#ground;
    const called = await answered(admin, endpoint, input);
    const id = approvalIdOf(called.data);
    const released = id !== undefined && (await answered(second, releaseApproval, { id }));
    if (released) this.#count('acts released by a second operator');
    const { success, msg } = released || called;
    expect(success, `${endpoint.path} ${JSON.stringify(input)}: ${msg ?? ''}`).toBe(isGood);
    return isGood;
  }

  async #correct({ to: result, byResolve }: Of<'correct'>): Promise<void> {
    const { server, admin } = this.#ground;
    const [recordId, { slips, held, isQuiet }] = [this.#recordId, this.model];
    if (recordId === undefined) return;
    if (this.model.result === result) {
      expect((await answered(admin, previewCorrection, { recordId, result })).success).toBe(false);
      await this.#do(false, resolveDrawRecord, { id: recordId, result, reason: '官网公告已更正' });
      return this.#count('corrections to what stands refused');
    }
    const moved = this.model.foresee(result);
    const previewed = await answered(admin, previewCorrection, { recordId, result });
    const foreseen = given(previewed.data);
    expectForeseen(foreseen, moved, { slips, slipIds: this.slipIds });
    if (moved.some(({ shortfall }) => shortfall > 0n)) this.#count('previews with a shortfall');
    const ground = await groundOf(server.db, { recordId, result });
    const reason = '官网公告已更正';
    await (byResolve
      ? this.#do(isQuiet, resolveDrawRecord, { id: recordId, result, reason })
      : this.#do(isQuiet, applyCorrection, { recordId, result, reason, digest: foreseen.digest }));
    this.#count(isQuiet ? 'corrections applied' : 'corrections refused while settling');
    if (!isQuiet) return;
    if (held.size > 0) this.#count('corrections while wins were held');
    this.model.result = result;
    const begun = this.model.begin();
    this.#applied = { begun, foreseen, recordId, head: digestHead(ground), last: ground.last };
  }

  /** Notes the void that has just begun. */
  async #voided(scope: Void): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select max(id) as id from settlement where "gameId" = ${this.#at.gameId} and kind = 'VOID'`.execute(
      this.#ground.server.db,
    );
    this.model.voids.set(given(rows[0]).id, scope);
    this.model.begin();
  }

  async #void({ of }: Of<'void'>): Promise<void> {
    const { gameId, phase } = this.#at;
    const places = typeof of === 'string' ? undefined : ([Math.min(...of), Math.max(...of)] as const);
    const rules = typeof of === 'string' && of !== 'all' ? of : undefined;
    const scope = { ...(rules && { rules }), ...(places && { places }) };
    const isDone = await this.#do(this.model.mayVoid(scope), voidPhase, {
      ...{ gameId, phase, reason: '赔率错盘' },
      ...(rules && { playWayId: playWays[rules] }),
      ...(places && { createTimeRange: await windowOf(this.#ground.server.db, this.slipIds, places) }),
    });
    const held = this.model.held.size > 0 ? ' while wins were held' : '';
    this.#count(isDone ? `voids${held}` : 'voids refused');
    if (isDone) await this.#voided(scope);
  }

  async #voidSlip({ which }: Of<'voidSlip'>): Promise<void> {
    const place = which % this.slipIds.length;
    const isGood = this.#ground.bySecond && this.model.mayVoidSlip(place);
    const input = { id: given(this.slipIds[place]), reason: '玩家误投' };
    const isDone = await this.#do(isGood, cancelSlip, input);
    this.#count(isDone ? 'voids of one slip' : 'voids of one slip refused');
    if (isDone) await this.#voided({ places: [place, place], isOfSlip: true });
  }

  async #unvoid({ which }: Of<'unvoid'>): Promise<void> {
    const voids = [...this.model.voids];
    const [settlementId, scope] = voids[which % Math.max(voids.length, 1)] ?? [];
    if (settlementId === undefined) return;
    const of = scope?.isOfSlip ? 'voids of one slip' : 'voids';
    const isGood = !scope?.isOfSlip || this.model.result === null;
    const isDone = await this.#do(isGood, unvoidPhase, { settlementId, reason: '恢复注单' });
    this.#count(isDone ? `${of} taken back` : `${of} left after the draw`);
    if (!isDone) return;
    this.model.voids.delete(settlementId);
    this.model.begin();
  }

  /** Lets wins go that a settlement holds: all of them, or one. */
  async #release({ which }: Of<'release'>): Promise<void> {
    const { gameId } = this.#at;
    const { rows } = await sql<{ id: number }>`
      select id from settlement where "gameId" = ${gameId} and status <> 'DONE' order by id limit 1`.execute(
      this.#ground.server.db,
    );
    const places = [...this.model.held.keys()];
    const place = which === null ? undefined : places[which % places.length];
    if (!rows[0] || places.length === 0) return;
    const slipId = place === undefined ? {} : { slipId: given(this.slipIds[place]) };
    // What has begun since decides held slips anew.
    const isOvertaken = this.model.queue.length > 0;
    const isGood = !isOvertaken && this.model.release(place) > 0;
    await this.#do(isGood, releaseHeldSlips, { id: rows[0].id, ...slipId, reason: '核对无误' });
    if (isOvertaken) this.#count('held wins kept for what has begun since');
    else if (isGood) this.#count(place === undefined ? 'all held wins let go' : 'one held win let go');
  }

  #userOf(who: number) {
    return given(this.#at.users[who]);
  }
  /** Somebody who owes, if there are such; else this player. */
  #owing(who: number): number {
    const owing = this.model.purses.flatMap(({ debt }, player) => (debt > 0n ? [player] : []));
    return owing[who % Math.max(owing.length, 1)] ?? who;
  }

  async #deposit({ player, amount }: Of<'deposit'>): Promise<void> {
    const who = this.#owing(player);
    const { userId } = this.#userOf(who);
    const order = { userId, amount: textOf(amount), type: 'BANK_TRANSFER' as const };
    const placed = await answered(this.#ground.site, placeDeposit, { ...order, bankOrderNo: randomUUID() });
    await this.#do(true, reviewDeposit, { id: given(placed.data), action: 'PASS' });
    const purse = this.model.purse(who);
    this.#count(purse.debt > 0n ? 'deposits that paid a debt' : 'deposits');
    purse.give(amount);
  }

  async #withdraw({ player, quarters }: Of<'withdraw'>): Promise<void> {
    const purse = this.model.purse(player);
    const asked = (purse.available * BigInt(quarters)) / 4n;
    const amount = asked > 0n ? asked : ONE;
    const placed = await answered(this.#ground.site, placeWithdrawal, {
      ...{ userId: this.#userOf(player).userId, amount: textOf(amount), bankOrderNo: randomUUID() },
      receiveAccount: { accountNo: '6222' },
    });
    const isGood = purse.debt === 0n && asked > 0n;
    expect(placed.success, placed.msg ?? '').toBe(isGood);
    const refused = purse.debt > 0n ? 'withdrawals refused for a debt' : 'withdrawals refused';
    this.#count(isGood ? 'withdrawals placed' : refused);
    if (!isGood) return;
    purse.available -= amount;
    purse.frozen += amount;
    this.#frozen.push({ id: given(placed.data), player, amount });
  }

  async #decide({ pay }: Of<'decide'>): Promise<void> {
    const order = this.#frozen.find(({ player }) => this.model.purse(player).debt > 0n) ?? this.#frozen[0];
    if (!order) return;
    const purse = this.model.purse(order.player);
    const action = pay ? 'PAID' : 'REJECT';
    const isGood = !pay || purse.debt === 0n;
    const isDone = await this.#do(isGood, markWithdrawal, { id: order.id, action, remark: '核对账户' });
    if (!isDone) return this.#count('payments refused for a debt');
    this.#frozen.splice(this.#frozen.indexOf(order), 1);
    purse.frozen -= order.amount;
    if (pay) return this.#count('withdrawals paid');
    this.#count(purse.debt > 0n ? 'withdrawals rejected that paid a debt' : 'withdrawals rejected');
    purse.give(order.amount);
  }

  async #spend({ player, quarters }: Of<'spend'>): Promise<void> {
    const purse = this.model.purse(player);
    const amount = (purse.available * BigInt(quarters)) / 4n;
    if (amount === 0n) return;
    const { accountId: id } = this.#userOf(player);
    await this.#do(true, subtractBalance, { id, balance: textOf(amount), remark: '活动扣回' });
    purse.available -= amount;
  }

  async #writeOff({ player, quarters }: Of<'writeOff'>): Promise<void> {
    const who = this.#owing(player);
    const purse = this.model.purse(who);
    const amount = (purse.debt * BigInt(quarters)) / 4n;
    if (amount === 0n) return;
    const input = { id: this.#userOf(who).accountId, amount: textOf(amount), reason: '无法追回' };
    await this.#do(true, writeOffDebt, input);
    this.#count(amount === purse.debt ? 'debts written off' : 'debts written off in part');
    purse.debt -= amount;
  }

  /** Compares what an applied correction has posted by now with what was foreseen. */
  async expectPosted(): Promise<void> {
    const { begun, foreseen } = this.#applied ?? {};
    if (!this.#applied || !begun || !foreseen) return;
    const isWhole = await expectPosted(this.#ground.server.db, this.#applied, this.model.slips);
    if (!isWhole) return this.#count('corrections posted in part');
    this.#applied = undefined;
    this.#count('corrections posted as foreseen');
    if (foreseen.slips > 0) this.#count('corrections that moved something');
  }
}
