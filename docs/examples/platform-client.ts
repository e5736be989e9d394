/*
 * A players' site talking to the back office: one player's first evening. Run it against a server that was started with
 * PLATFORM_API_KEY=… :
 *
 *   PLATFORM_API_KEY=… node scripts/launch.mjs docs/examples/platform-client.ts http://127.0.0.1:8080
 *
 * Every call may be sent again after a timeout: it carries an Idempotency-Key of its own, under which the first answer is
 * repeated for a day. Orders are told apart by bankOrderNo for good, movements by bizOrderNo and changeType: the same content answers
 * what was done the first time, other content is refused. All calls are described in /api/openapi.json.
 */
import { randomUUID } from 'node:crypto';

const origin = process.argv[2] ?? 'http://127.0.0.1:8080';
const key = process.env.PLATFORM_API_KEY ?? '';

interface Envelope {
  success: boolean;
  msg: string | null;
  data: unknown;
  code: number;
}

/** Sends one call; tries again when the server is away or busy, and throws what it was refused for. */
async function call(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  { key: own = randomUUID(), attempts = 5 } = {},
): Promise<unknown> {
  try {
    const response = await fetch(`${origin}/open/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': own },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    if (response.status < 500 && response.status !== 429) {
      const { success, msg, data } = (await response.json()) as Envelope;
      if (!success) throw new RangeError(msg ?? '被拒绝');
      return data;
    }
  } catch (error) {
    if (error instanceof RangeError || attempts <= 1) throw error;
  }
  if (attempts <= 1) throw new Error(`${path}: 服务器没有回答`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return call(method, path, body, { key: own, attempts: attempts - 1 });
}

const show = (what: string, answer: unknown) => console.log(what, JSON.stringify(answer));

const userId = await call('POST', '/users', {
  nickName: '示例用户',
  username: `example-${randomUUID().slice(0, 8)}`,
});
show('用户编号', userId);

// The operator passes it on the screen 充值订单; until then nothing is credited.
const deposit = {
  userId,
  amount: '500.00',
  type: 'BANK_TRANSFER',
  bankOrderNo: randomUUID(),
  fromName: '张三',
};
show('充值订单', await call('POST', '/deposits', deposit));
show('重复提交得到同一订单', await call('POST', '/deposits', deposit));

// A welcome present, a bet and its win: all or nothing, amounts as exact decimal texts.
const bet = randomUUID();
show(
  '账变',
  await call('POST', '/entries', [
    { userId, changeType: 'RECHARGE_GIVE', amount: '10.00', bizOrderNo: randomUUID(), desc: '新人赠送' },
    { userId, changeType: 'BET', amount: '4.00', bizOrderNo: bet, desc: '第 20260101001 期' },
    { userId, changeType: 'WIN', amount: '7.84', bizOrderNo: bet },
  ]),
);

// Frozen until an operator marks it on the screen 提现订单.
const withdrawal = {
  userId,
  amount: '5.00',
  bankOrderNo: randomUUID(),
  receiveAccount: { accountNo: '6222 0000', realName: '张三' },
};
show('提现订单', await call('POST', '/withdrawals', withdrawal));
show('余额', await call('GET', `/users/${userId}/balance`));
