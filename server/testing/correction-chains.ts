import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { subtractBalance, writeOffDebt } from '#contract/accounts.ts';
import { applyCorrection, type CorrectionPreview, previewCorrection } from '#contract/corrections.ts';
import { reviewDeposit } from '#contract/deposits.ts';
import { resolveDrawRecord } from '#contract/draw-records.ts';
import { placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { unvoidPhase, voidPhase } from '#contract/settlements.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { groundOf } from '#server/features/settlements/correction-ground.ts';
import { digestHead } from '#server/features/settlements/correction-preview.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { buildPhase, buildSlips, claimResults, playWays, recordResult } from './build-slips.ts';
import { buildUser } from './build-user.ts';
import { type Act, type Chain, results } from './chain-acts.ts';
import { ChainModel, slipStake, textOf, type Units, type Void } from './chain-model.ts';
import { expectForeseen } from './foreseen-correction.ts';
import { given } from './given.ts';
import { type Applied, postedAs, postedOf } from './posted-correction.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** Where chains run: each on a phase and players of its own. */
export interface ChainGround {
  readonly server: TestServer;
  readonly admin: TestClient;
  readonly site: TestClient;
  /** What chains came across, so that a run can tell that it tried what it should. */
  readonly tally: Record<string, number>;
}

/** One chain under way: the server beside the model. */
class ChainRun {
  readonly #ground: ChainGround;
  readonly #balances: readonly Units[];
  readonly #model: ChainModel;
  #phase = { gameId: 0, phase: '' };
  #users: readonly { userId: number; accountId: number }[] = [];
  #slipIds: readonly number[] = [];
  #recordId: number | undefined;
  readonly #frozen: { id: number; player: number; amount: Units }[] = [];
  /** A correction that was applied: what was foreseen, and how its digest begins. */
  #applied: (Applied & { readonly foreseen: CorrectionPreview }) | undefined;

  constructor(ground: ChainGround, { balances, slips }: Chain) {
    this.#ground = ground;
    const stakes = balances.map((_, who) =>
      slips.filter((slip) => slip.player === who).reduce((total, slip) => total + slipStake(slip), 0n),
    );
    this.#balances = balances.map((balance, who) => balance + (stakes[who] ?? 0n));
    this.#model = new ChainModel(this.#balances, slips);
  }

  get #db() {
    return this.#ground.server.db;
  }
  #count(what: string): void {
    this.#ground.tally[what] = (this.#ground.tally[what] ?? 0) + 1;
  }

  async build(): Promise<void> {
    this.#phase = await buildPhase(this.#db);
    const users: { userId: number; accountId: number }[] = [];
    for (const balance of this.#balances) users.push(await buildUser(this.#db, { balance: textOf(balance) }));
    this.#users = users;
    this.#slipIds = await buildSlips(
      this.#db,
      this.#phase,
      this.#model.slips.map(({ player: who, lines }) => ({
        userId: users[who]?.userId ?? 0,
        lines: lines.map(({ rules, chosen, unitStake }) => ({
          ...{ rules, selection: chosen.join(','), unitStake: textOf(unitStake), units: chosen.length },
        })),
      })),
    );
  }

  async record(): Promise<void> {
    this.#recordId = await recordResult(this.#db, this.#phase, results[0]);
    await claimResults(this.#db, this.#recordId, results.slice(1));
    this.#model.result = results[0];
    this.#model.begin();
  }

  async act(act: Act): Promise<void> {
    if (act.kind === 'settle') await this.settle();
    else if (act.kind === 'correct') await this.#correct(act.to, act.byResolve);
    else if (act.kind === 'void') await this.#void(act.of);
    else if (act.kind === 'unvoid') await this.#unvoid(act.which);
    else if (act.kind === 'decide') await this.#decide(act.pay);
    else if (act.kind === 'deposit') await this.#deposit(act.player, act.amount);
    else if (act.kind === 'withdraw') await this.#withdraw(act.player, act.quarters);
    else if (act.kind === 'spend') await this.#spend(act.player, act.quarters);
    else await this.#writeOff(act.player, act.quarters);
    await this.#expectPurses();
  }

  async #expectPurses(): Promise<void> {
    const { rows } = await sql<{ told: string }>`
      select round("availableAmount", 4) || ' ' || round("freezeAmount", 4) || ' ' || round(debt, 4) as told
      from account where "userId" = any(${this.#users.map(({ userId }) => userId)}::bigint[]) order by "userId"`.execute(
      this.#db,
    );
    expect(rows.map(({ told }) => told)).toEqual(
      this.#model.purses.map(({ available, frozen, debt }) =>
        [available, frozen, debt].map(textOf).join(' '),
      ),
    );
    for (const { available, frozen, debt } of this.#model.purses)
      expect(available >= 0n && frozen >= 0n && debt >= 0n).toBe(true);
  }

  async #correct(result: string, byResolve: boolean): Promise<void> {
    const { admin } = this.#ground;
    const recordId = this.#recordId;
    if (recordId === undefined) return;
    const moved = this.#model.foresee(result);
    const previewed = (await admin.call(previewCorrection, { recordId, result })).envelope;
    expect(previewed.success, previewed.msg ?? '').toBe(true);
    const foreseen = given(previewed.data);
    expectForeseen(foreseen, moved, { slips: this.#model.slips, slipIds: this.#slipIds });
    if (moved.some(({ shortfall }) => shortfall > 0n)) this.#count('previews with a shortfall');
    const ground = await groundOf(this.#db, { recordId, result });
    const { digest } = foreseen;
    const reason = '官网公告已更正';
    const { envelope } = byResolve
      ? await admin.call(resolveDrawRecord, { id: recordId, result, reason })
      : await admin.call(applyCorrection, { recordId, result, reason, digest });
    const isQuiet = this.#model.queue.length === 0;
    expect(envelope.success, envelope.msg ?? '').toBe(isQuiet);
    this.#count(isQuiet ? 'corrections applied' : 'corrections refused while settling');
    if (!isQuiet || this.#model.result === result) return;
    this.#model.result = result;
    this.#model.begin();
    this.#applied = { foreseen, recordId, head: digestHead(ground), last: ground.last };
  }

  async #void(of: 'all' | 'first' | 'second' | 'size' | readonly [number, number]): Promise<void> {
    const input = { ...this.#phase, reason: '赔率错盘' };
    const isWindow = typeof of !== 'string';
    const [from, to] = isWindow ? [Math.min(...of), Math.max(...of)] : [0, 0];
    const covers: Void = isWindow
      ? (place) => place >= from && place <= to
      : (_, line) => of === 'all' || of === line.rules;
    const { envelope } = await this.#ground.admin.call(voidPhase, {
      ...input,
      ...(typeof of === 'string' && of !== 'all' ? { playWayId: playWays[of] } : {}),
      ...(isWindow ? { createTimeRange: await this.#window(from, to) } : {}),
    });
    const { success, data } = envelope;
    this.#count(success ? 'voids' : 'voids refused');
    if (!success || typeof data !== 'number') return;
    this.#model.voids.set(data, covers);
    this.#model.begin();
  }

  /** The moments at which slips of these places were placed, a second apart. */
  async #window(from: number, to: number): Promise<[string, string]> {
    const { rows } = await sql<{ start: string; end: string }>`
      select min("createTime") + make_interval(secs => ${from}) as start, min("createTime") + make_interval(secs => ${to}) as end
      from slip where id = any(${[...this.#slipIds]}::bigint[])`.execute(this.#db);
    const [row] = rows;
    return [(row?.start ?? '').slice(0, 19), (row?.end ?? '').slice(0, 19)];
  }

  async #unvoid(which: number): Promise<void> {
    const ids = [...this.#model.voids.keys()];
    const settlementId = ids[which % Math.max(ids.length, 1)];
    if (settlementId === undefined) return;
    const { envelope } = await this.#ground.admin.call(unvoidPhase, { settlementId, reason: '恢复注单' });
    expect(envelope.success, envelope.msg ?? '').toBe(true);
    this.#count('voids taken back');
    this.#model.voids.delete(settlementId);
    this.#model.begin();
  }

  #userOf(who: number) {
    return given(this.#users[who]);
  }

  async #deposit(who: number, amount: Units): Promise<void> {
    const order = {
      userId: this.#userOf(who).userId,
      amount: textOf(amount),
      type: 'BANK_TRANSFER' as const,
    };
    const { envelope } = await this.#ground.site.call(placeDeposit, { ...order, bankOrderNo: randomUUID() });
    const id = given(envelope.data);
    expect((await this.#ground.admin.call(reviewDeposit, { id, action: 'PASS' })).envelope.success).toBe(
      true,
    );
    const { debt } = this.#model.purse(who);
    this.#count(debt > 0n ? 'deposits that paid a debt' : 'deposits');
    this.#model.purse(who).give(amount);
  }

  async #withdraw(who: number, share: number): Promise<void> {
    const purse = this.#model.purse(who);
    const asked = (purse.available * BigInt(share)) / 4n;
    const amount = asked > 0n ? asked : 10_000n;
    const { envelope } = await this.#ground.site.call(placeWithdrawal, {
      ...{ userId: this.#userOf(who).userId, amount: textOf(amount), bankOrderNo: randomUUID() },
      receiveAccount: { accountNo: '6222' },
    });
    const isGood = purse.debt === 0n && asked > 0n;
    expect(envelope.success, envelope.msg ?? '').toBe(isGood);
    this.#count(isGood ? 'withdrawals placed' : 'withdrawals refused');
    if (!isGood) return;
    purse.available -= amount;
    purse.frozen += amount;
    this.#frozen.push({ id: given(envelope.data), player: who, amount });
  }

  async #decide(pay: boolean): Promise<void> {
    const [order] = this.#frozen;
    if (!order) return;
    const purse = this.#model.purse(order.player);
    const isGood = !pay || purse.debt === 0n;
    const action = pay ? 'PAID' : 'REJECT';
    const { id } = order;
    const { envelope } = await this.#ground.admin.call(markWithdrawal, { id, action, remark: '核对账户' });
    expect(envelope.success, envelope.msg ?? '').toBe(isGood);
    this.#count(isGood ? 'withdrawals decided' : 'payments refused for a debt');
    if (!isGood) return;
    this.#frozen.shift();
    purse.frozen -= order.amount;
    if (!pay) purse.give(order.amount);
  }

  async #spend(who: number, share: number): Promise<void> {
    const purse = this.#model.purse(who);
    const amount = (purse.available * BigInt(share)) / 4n;
    if (amount === 0n) return;
    const input = { id: this.#userOf(who).accountId, balance: textOf(amount), remark: '活动扣回' };
    expect((await this.#ground.admin.call(subtractBalance, input)).envelope.success).toBe(true);
    purse.available -= amount;
  }

  async #writeOff(who: number, share: number): Promise<void> {
    const purse = this.#model.purse(who);
    const amount = (purse.debt * BigInt(share)) / 4n;
    if (amount === 0n) return;
    const input = { id: this.#userOf(who).accountId, amount: textOf(amount), reason: '无法追回' };
    const { envelope } = await this.#ground.admin.call(writeOffDebt, input);
    expect(envelope.success, envelope.msg ?? '').toBe(true);
    this.#count(amount === purse.debt ? 'debts written off' : 'debts written off in part');
    purse.debt -= amount;
  }

  /** Works everything off and compares what an applied correction posted with what was foreseen. */
  async settle(): Promise<void> {
    await settleDue(this.#db);
    this.#model.settle();
    if (this.#applied) {
      expect(await postedOf(this.#db, this.#applied)).toEqual(postedAs(this.#applied.foreseen));
      this.#count('corrections posted as foreseen');
      if (this.#applied.foreseen.slips > 0) this.#count('corrections that moved something');
    }
    this.#applied = undefined;
    const { rows } = await sql<{ told: string }>`
      select s.status || ' ' || round(s.payout, 4) || ' ' || round(s.refund, 4) as told
      from unnest(${[...this.#slipIds]}::bigint[]) with ordinality as w (id, n) join slip s using (id) order by n`.execute(
      this.#db,
    );
    expect(rows.map(({ told }) => told)).toEqual(this.#model.told());
  }
}

/** Runs a chain to its end, comparing all along. */
export async function runChain(ground: ChainGround, chain: Chain): Promise<void> {
  const run = new ChainRun(ground, chain);
  await run.build();
  for (const [place, act] of chain.acts.entries()) {
    if (place === chain.recordAt) await run.record();
    await run.act(act);
  }
  await run.settle();
}
