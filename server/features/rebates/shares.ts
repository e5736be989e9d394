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

/** What somebody gets for a day of what came from one chain of agents, for which reports count it. */
export interface Share {
  readonly userId: number;
  readonly kind: 'REBATE' | 'RETURN';
  readonly agents: readonly number[];
  readonly amount: bigint;
}

export const shareKey = ({ userId, kind }: Pick<Share, 'userId' | 'kind'>): string => `${kind} ${userId}`;
/** Tells those of one payee and kind apart by their chains. */
export const partKey = ({ agents, ...share }: Pick<Share, 'userId' | 'kind' | 'agents'>): string =>
  `${shareKey(share)} ${agents.join()}`;

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

/** Rounds down once what somebody gets in all: a chain's part is what it adds to those before it. Parts that add nothing are left out. */
function roundedOnce(products: readonly Share[]): Share[] {
  let [sum, told] = [0n, 0n];
  return products.flatMap((product) => {
    sum += product.amount;
    const amount = roundedDown(sum) - told;
    told += amount;
    return amount > 0n ? [{ ...product, amount }] : [];
  });
}

/** What everybody gets for a day, rounded down once for each payee and kind, and told apart by chains. */
export function sharesOf(turnovers: Iterable<Rated>, rates: DayRates): Share[] {
  const products = new Map<string, Share>();
  const add = (share: Share) => {
    if (share.amount === 0n) return;
    const key = partKey(share);
    products.set(key, { ...share, amount: share.amount + (products.get(key)?.amount ?? 0n) });
  };
  for (const rated of turnovers) {
    const { userId, agents, level, categoryId, turnover } = rated;
    add({ userId, kind: 'REBATE', agents, amount: turnover * rates.rebate(level, categoryId) });
    for (const { rate, ...part } of returnsOf(rated, rates))
      add({ ...part, kind: 'RETURN', amount: turnover * rate });
  }
  const inOrder = [...products]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, share]) => share);
  return [...Map.groupBy(inOrder, shareKey).values()].flatMap(roundedOnce);
}
