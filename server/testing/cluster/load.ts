import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addBalance, subtractBalance } from '#contract/accounts.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { addRole, listRoles } from '#contract/roles.ts';
import type { BuiltUser } from '#server/testing/build-user.ts';
import { type Answer, type TestClient, under } from '#server/testing/test-client.ts';
import { type DrawingGame, phaseAt } from './drawing-game.ts';

export type Kind = 'credit' | 'debit' | 'slip' | 'role';

interface Said {
  readonly status: number;
  readonly envelope: { readonly success: boolean; readonly msg: string; readonly data: unknown };
}

/** Something asked for once, under a key that it keeps however often it is sent. */
interface Deed {
  readonly kind: Kind;
  readonly key: string;
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

const deeds = {
  credit: ({ operators, players }: Ground, key: string, turn: number): Deed['send'] => {
    const { accountId: id } = oneOf(players, turn);
    return (place) => said(oneOf(operators, place).call(addBalance, { id, balance: '1' }, under(key)));
  },
  debit: ({ operators, players }: Ground, key: string, turn: number): Deed['send'] => {
    const { accountId: id } = oneOf(players, turn);
    return (place) => said(oneOf(operators, place).call(subtractBalance, { id, balance: '0.5' }, under(key)));
  },
  slip: ({ sites, players, game }: Ground, bizNo: string, turn: number): Deed['send'] => {
    const { userId } = oneOf(players, turn);
    const phase = phaseAt(game, Date.now())?.phase ?? '';
    const lines = [{ playWayId: game.playWayId, selection: turn % 2 ? '大' : '小', unitStake: '2' }];
    const wanted = { userId, gameId: game.gameId, phase, bizNo, lines };
    return (place) => said(oneOf(sites, place).call(placeBet, wanted));
  },
  role: ({ operators }: Ground, name: string): Deed['send'] => {
    return (place) => said(oneOf(operators, place).call(addRole, { desc: '集群', name }, under(name)));
  },
} as const;

/** Sends a deed until it has an answer that is final; one that lies before what it asks for waits for that. */
async function sent(deed: Deed, place: number): Promise<{ said: Said; asked: number; times: number }> {
  const asked = performance.now();
  for (let times = 1; performance.now() - asked < GIVE_UP_MS; times++) {
    const answer = await deed.send(place + times).catch(() => undefined);
    if (answer && !passing.has(answer.status)) return { said: answer, asked, times };
    await sleep(AGAIN_MS);
  }
  throw new Error(`${deed.kind} ${deed.key} has no answer`);
}

/** Mixed work of several clients at both entrances, until it is ended. */
export function startLoad(ground: Ground): Load {
  const done: Done[] = [];
  const refused = new Map<string, string>();
  const strange: string[] = [];
  const looks = { seen: 0 };
  let over = false;
  const act = async (kind: Kind, turn: number): Promise<Done | undefined> => {
    const key = randomUUID();
    const deed: Deed = { kind, key, send: deeds[kind](ground, key, turn) };
    const { said: answer, asked, times } = await sent(deed, turn);
    const { success, data, msg } = answer.envelope;
    if (!success) {
      refused.set(key, msg);
      if (kind !== 'slip') strange.push(`${kind}: ${answer.status} ${msg}`);
      return undefined;
    }
    const one = { ...deed, answer: data, asked, times, answered: performance.now() };
    done.push(one);
    return one;
  };
  const work = async (kind: Kind, worker: number): Promise<void> => {
    for (let turn = worker; !over; turn += 7) {
      if (kind !== 'slip' || phaseAt(ground.game, Date.now())) await act(kind, turn);
      await sleep(PAUSE_MS);
    }
  };
  // Whoever changes something looks for it at once, mostly at the other entrance.
  const look = async (): Promise<void> => {
    for (let turn = 0; !over; turn++) {
      const added = await act('role', turn);
      const name = added?.key ?? '';
      const asking = { kind: 'role', key: name } as const;
      const send = (place: number) => said(oneOf(ground.operators, place).call(listRoles, { name }));
      const { said: answer } = await sent({ ...asking, send }, turn + 1);
      const { data } = answer.envelope;
      if (Array.isArray(data) && data.some((role) => role.name === name)) looks.seen++;
      else strange.push(`a change that its maker does not see: ${name} ${JSON.stringify(answer)}`);
      await sleep(PAUSE_MS);
    }
  };
  const workers = [
    ...[0, 1, 2].map((worker) => work('credit', worker)),
    work('debit', 3),
    ...[4, 5, 6].map((worker) => work('slip', worker)),
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
