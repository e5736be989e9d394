import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { addBalance, subtractBalance } from '#contract/accounts.ts';
import { reviewDeposit } from '#contract/deposits.ts';
import { placeDeposit, placeWithdrawal, postEntries, sendTemplateMail } from '#contract/platform.ts';
import { cancelBet, placeBet } from '#contract/platform-bets.ts';
import { addRole, listRoles, Role } from '#contract/roles.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import type { BuiltUser } from '#server/testing/build-user.ts';
import { type Answer, type TestClient, under } from '#server/testing/test-client.ts';
import { type DrawingGame, phaseAt } from './drawing-game.ts';

type Kind = keyof typeof deeds;

interface Said {
  readonly status: number;
  readonly envelope: { readonly success: boolean; readonly msg: string; readonly data: unknown };
}

/** Something asked for once, under a key that it keeps however often it is sent. */
interface Deed {
  readonly kind: Kind;
  readonly key: string;
  /** The player whose turn it is. */
  readonly userId: number;
  /** The order or slip it is about, if it is about one of before. */
  readonly of: number;
  send(place: number): Promise<Said>;
}

/** A deed that was answered: the answer, and when it was first asked for and answered. */
export interface Done extends Deed {
  readonly answer: unknown;
  readonly asked: number;
  readonly answered: number;
  readonly times: number;
}

export interface Load {
  /** What was acknowledged. */
  readonly done: readonly Done[];
  /** Keys of what was refused, and with which words. */
  readonly refused: ReadonlyMap<string, string>;
  /** Answers that nobody should get, and changes that their own maker did not see. */
  readonly strange: readonly string[];
  /** How often somebody looked for his own change. */
  readonly looks: { seen: number };
  /** Ends what is under way, each deed with its answer. */
  end(): Promise<void>;
}

interface Ground {
  readonly game: DrawingGame;
  readonly players: readonly BuiltUser[];
  /** One for each entrance. */
  readonly operators: readonly TestClient[];
  readonly sites: readonly TestClient[];
  /** Whether mails go out too: somebody has to take them. */
  readonly mails?: boolean;
}

/** What a client may meet while something is replaced: it sends the same again. */
const passing = new Set([429, 502, 503, 504]);
const PAUSE_MS = 40;
const AGAIN_MS = 200;
/** Nothing is tried longer; the run fails instead. */
const GIVE_UP_MS = 120_000;

const oneOf = <T>(list: readonly T[], place: number): T => {
  const one = list[place % list.length];
  if (one === undefined) throw new Error('an empty list');
  return one;
};
const said = async (answer: Promise<Answer<never>> | Promise<Said>): Promise<Said> => (await answer) as Said;

/** Who does something, to whom, under which number, and to which order or slip of before. */
interface Doing extends Ground {
  readonly key: string;
  readonly turn: number;
  readonly of: number;
}

const playerOf = ({ players, turn }: Doing): BuiltUser => oneOf(players, turn);

function slip(doing: Doing): Deed['send'] {
  const { game, sites, turn, key: bizNo } = doing;
  const phase = phaseAt(game, Date.now())?.phase ?? '';
  const lines = [{ playWayId: game.playWayId, selection: turn % 2 ? '大' : '小', unitStake: '2' }];
  const wanted = { userId: playerOf(doing).userId, gameId: game.gameId, phase, bizNo, lines };
  return (place) => said(oneOf(sites, place).call(placeBet, wanted));
}

const review =
  (action: 'PASS' | 'REJECT') =>
  ({ operators, key, of: id }: Doing): Deed['send'] =>
  (place) =>
    said(oneOf(operators, place).call(reviewDeposit, { id, action, remark: '负载' }, under(key)));
const mark =
  (action: 'PAID' | 'REJECT') =>
  ({ operators, key, of: id }: Doing): Deed['send'] =>
  (place) =>
    said(oneOf(operators, place).call(markWithdrawal, { id, action, remark: '负载' }, under(key)));

/** How each thing is asked for, at the entrance of that place. */
const deeds = {
  credit: (doing: Doing): Deed['send'] => {
    const { accountId: id } = playerOf(doing);
    return (place) =>
      said(oneOf(doing.operators, place).call(addBalance, { id, balance: '1' }, under(doing.key)));
  },
  debit: (doing: Doing): Deed['send'] => {
    const { accountId: id } = playerOf(doing);
    return (place) =>
      said(oneOf(doing.operators, place).call(subtractBalance, { id, balance: '0.5' }, under(doing.key)));
  },
  slip,
  // Under no key: whoever asks again for the same is answered as before.
  cancel: ({ sites, of: slipId }: Doing): Deed['send'] => {
    return (place) => said(oneOf(sites, place).call(cancelBet, { slipId, reason: '负载' }));
  },
  deposit: (doing: Doing): Deed['send'] => {
    const { userId } = playerOf(doing);
    const wanted = { userId, amount: '3', type: 'BANK_TRANSFER', bankOrderNo: doing.key } as const;
    return (place) => said(oneOf(doing.sites, place).call(placeDeposit, wanted));
  },
  pass: review('PASS'),
  turnDown: review('REJECT'),
  withdrawal: (doing: Doing): Deed['send'] => {
    const { userId } = playerOf(doing);
    const wanted = { userId, amount: '1', bankOrderNo: doing.key, receiveAccount: { accountNo: '1' } };
    return (place) => said(oneOf(doing.sites, place).call(placeWithdrawal, wanted));
  },
  pay: mark('PAID'),
  giveBack: mark('REJECT'),
  entry: (doing: Doing): Deed['send'] => {
    const { userId } = playerOf(doing);
    const entries = [{ userId, changeType: 'RECHARGE_GIVE', amount: '0.25', bizOrderNo: doing.key }] as const;
    return (place) => said(oneOf(doing.sites, place).call(postEntries, { entries: [...entries] }));
  },
  mail: ({ sites, key }: Doing): Deed['send'] => {
    const mail = { template: 'login', to: mailAddress(key), variables: { code: '4711' } } as const;
    return (place) => said(oneOf(sites, place).call(sendTemplateMail, mail, under(key)));
  },
  role: ({ operators, key: name }: Doing): Deed['send'] => {
    return (place) => said(oneOf(operators, place).call(addRole, { desc: '负载', name }, under(name)));
  },
} as const;

/** The roles there are, of which a server of another version may tell less or more. */
const listNames = { ...listRoles, output: z.array(Role.pick({ name: true })) };

/** Whom a mail of a deed goes to. */
export const mailAddress = (key: string): string => `${key}@example.com`;

/** What may be refused, in words: a phase closes, and limits are reached. */
const mayBeRefused: readonly Kind[] = ['slip', 'cancel'];

/** Sends a deed until it has an answer that is final; one that lies before what it asks for waits for that. */
async function sent(
  deed: Pick<Deed, 'kind' | 'key' | 'send'>,
  place: number,
): Promise<{ said: Said; asked: number; times: number }> {
  const asked = performance.now();
  let last = '';
  for (let times = 1; performance.now() - asked < GIVE_UP_MS; times++) {
    const answer = await deed.send(place + times).catch((error: unknown) => {
      last = String(error);
    });
    if (answer && !passing.has(answer.status)) return { said: answer, asked, times };
    if (answer) last = `${answer.status} ${answer.envelope.msg}`;
    await sleep(AGAIN_MS);
  }
  throw new Error(`${deed.kind} ${deed.key} has no answer, last ${last}`);
}

/** Mixed work of several clients at both entrances, until it is ended. */
export function startLoad(ground: Ground): Load {
  const done: Done[] = [];
  const refused = new Map<string, string>();
  const strange: string[] = [];
  const looks = { seen: 0 };
  let over = false;
  const act = async (kind: Kind, turn: number, of = 0): Promise<Done | undefined> => {
    const key = randomUUID();
    const { userId } = oneOf(ground.players, turn);
    const deed: Deed = { kind, key, userId, of, send: deeds[kind]({ ...ground, key, turn, of }) };
    const { said: answer, asked, times } = await sent(deed, turn);
    const { success, data, msg } = answer.envelope;
    if (!success) {
      refused.set(key, msg);
      if (!mayBeRefused.includes(kind) || answer.status !== 200)
        strange.push(`${kind}: ${answer.status} ${msg}`);
      return undefined;
    }
    const one = { ...deed, answer: data, asked, times, answered: performance.now() };
    done.push(one);
    return one;
  };
  const work = async (worker: number, once: (turn: number) => Promise<unknown>): Promise<void> => {
    for (let turn = worker; !over; turn += 7) {
      await once(turn);
      await sleep(PAUSE_MS);
    }
  };
  const orderOf = (placed: Done | undefined): number => Number(placed?.answer ?? 0);
  const bet = async (turn: number): Promise<void> => {
    const placed = phaseAt(ground.game, Date.now()) && (await act('slip', turn));
    if (placed && turn % 3 === 0) await act('cancel', turn, (placed.answer as { slipId: number }).slipId);
  };
  const payIn = async (turn: number): Promise<void> => {
    const id = orderOf(await act('deposit', turn));
    if (id) await act(turn % 3 ? 'pass' : 'turnDown', turn, id);
  };
  const payOut = async (turn: number): Promise<void> => {
    const id = orderOf(await act('withdrawal', turn));
    if (id) await act(turn % 3 ? 'pay' : 'giveBack', turn, id);
  };
  // Whoever changes something looks for it at once, mostly at the other entrance.
  const look = async (): Promise<void> => {
    for (let turn = 0; !over; turn++) {
      const added = await act('role', turn);
      const name = added?.key ?? '';
      const asking = { kind: 'role', key: name } as const;
      const send = (place: number) => said(oneOf(ground.operators, place).call(listNames, { name }));
      const { said: answer } = await sent({ ...asking, send }, turn + 1);
      const { data } = answer.envelope;
      if (Array.isArray(data) && data.some((role) => role.name === name)) looks.seen++;
      else strange.push(`a change that its maker does not see: ${name} ${JSON.stringify(answer)}`);
      await sleep(PAUSE_MS);
    }
  };
  const workers = [
    ...[0, 1].map((worker) => work(worker, (turn) => act('credit', turn))),
    work(2, (turn) => act('debit', turn)),
    work(3, (turn) => act('entry', turn)),
    ...[4, 5, 6].map((worker) => work(worker, bet)),
    ...[payIn, payOut].map((order, worker) => work(worker, order)),
    ...(ground.mails ? [work(5, (turn) => act('mail', turn))] : []),
    look(),
    look(),
  ];
  const all = Promise.allSettled(workers);
  return {
    ...{ done, refused, strange, looks },
    end: async () => {
      over = true;
      for (const one of await all) if (one.status === 'rejected') throw one.reason;
    },
  };
}

/** Sends what was answered once more: whoever does gets the first answer, whatever became of the machines meanwhile. */
export async function sendAgain(all: readonly Done[]): Promise<void> {
  for (const [place, deed] of all.entries()) {
    const { said: answer } = await sent(deed, place);
    if (JSON.stringify(answer.envelope.data) !== JSON.stringify(deed.answer))
      throw new Error(
        `${deed.kind} ${deed.key}: ${JSON.stringify(answer.envelope)}, not ${JSON.stringify(deed.answer)}`,
      );
  }
}
