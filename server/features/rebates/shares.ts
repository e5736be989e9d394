import { roundedDown } from './exact.ts';

/** Turnover with what decides the player's own share of it. */
export interface Rated {
  readonly userId: number;
  readonly agents: readonly number[];
  readonly level: number;
  readonly categoryId: number;
  readonly turnover: bigint;
}

/** What holds on a day; shares in millionths. */
export interface DayRates {
  rebate(level: number, categoryId: number): bigint;
  /** Whose account an agent's share goes to, and the share of the agent and all below; nothing for who is none of ours. */
  agent(id: number): { readonly userId: number; readonly rate: bigint } | undefined;
  /** Whether agents are paid for slips of their own. */
  readonly ownSlips: boolean;
}

/** What somebody gets for a day. `agents` is the chain that reports count it for. */
export interface Share {
  readonly userId: number;
  readonly kind: 'REBATE' | 'RETURN';
  readonly agents: readonly number[];
  readonly amount: bigint;
}

export const shareKey = ({ userId, kind }: Pick<Share, 'userId' | 'kind'>): string => `${kind} ${userId}`;

/** What each agent of a chain gets of turnover: its share less the most that anybody below it has. */
function* returnsOf({ userId, agents }: Rated, { agent, ownSlips }: DayRates) {
  let below = 0n;
  for (const [place, id] of agents.entries()) {
    const own = agent(id);
    if (!own || own.rate <= below) continue;
    const rate = own.rate - below;
    below = own.rate;
    if (own.userId !== userId || ownSlips) yield { userId: own.userId, rate, agents: agents.slice(place) };
  }
}

/** What everybody gets for a day, rounded down once for each payee and kind; those who would get nothing are left out. */
export function sharesOf(turnovers: Iterable<Rated>, rates: DayRates): Map<string, Share> {
  const products = new Map<string, Share>();
  const add = (userId: number, kind: Share['kind'], agents: readonly number[], product: bigint) => {
    if (product === 0n) return;
    const key = shareKey({ userId, kind });
    const known = products.get(key);
    products.set(key, {
      userId,
      kind,
      agents: known?.agents ?? agents,
      amount: (known?.amount ?? 0n) + product,
    });
  };
  for (const rated of turnovers) {
    const { userId, agents, level, categoryId, turnover } = rated;
    add(userId, 'REBATE', agents, turnover * rates.rebate(level, categoryId));
    for (const part of returnsOf(rated, rates)) add(part.userId, 'RETURN', part.agents, turnover * part.rate);
  }
  return new Map(
    [...products]
      .map(([key, share]) => [key, { ...share, amount: roundedDown(share.amount) }] as const)
      .filter(([, { amount }]) => amount > 0n),
  );
}
