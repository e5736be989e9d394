import { pageAccountHistory, sumAccountHistory } from '#contract/account-history.ts';
import { pageDeposits, sumDeposits } from '#contract/deposits.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import type { Load } from './load.ts';
import { interleaved, loadOnce } from './measure.ts';

type LoadOf = <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) => Omit<Load, 'connections'>;

interface Platform {
  readonly ofUser: number;
  /** Some weeks that have rows. */
  readonly range: [string, string];
  /** How many rows there are of each. */
  readonly ledger: number;
  readonly deposits: number;
}

/** A page in the middle of so many rows. */
const half = (rows: number): number => Math.floor(rows / 40);

const asked = (loadOf: LoadOf, { ofUser, range, ledger, deposits }: Platform) => ({
  'ledger: first page': loadOf(pageAccountHistory, {}),
  'ledger: sums of everything': loadOf(sumAccountHistory, {}),
  'ledger: sums of 40 days of one type': loadOf(sumAccountHistory, {
    changeType: 'WIN',
    createTimeRange: range,
  }),
  'ledger: sums of one user': loadOf(sumAccountHistory, { userId: ofUser }),
  'ledger by time: first page': loadOf(pageAccountHistory, { sort: 'createTime' }),
  'ledger by time: the page in the middle': loadOf(pageAccountHistory, {
    ...{ sort: '-createTime', currentPage: half(ledger) },
  }),
  'ledger by time: 40 days of one type, in the middle': loadOf(pageAccountHistory, {
    ...{ sort: 'createTime', changeType: 'WIN', createTimeRange: range },
    currentPage: Math.ceil(ledger * 0.003),
  }),
  'deposits: sums of everything': loadOf(sumDeposits, {}),
  'deposits by number: the page in the middle': loadOf(pageDeposits, {
    ...{ sort: 'id', currentPage: half(deposits) },
  }),
  'deposits by amount: the page in the middle': loadOf(pageDeposits, {
    ...{ sort: 'amount', currentPage: half(deposits) },
  }),
});

/** What stands below a list, and what a click on a head asks for; one after the other, as one operator asks. */
export async function timeSums(loadOf: LoadOf, platform: Platform, rounds: number): Promise<void> {
  const works = Object.entries(asked(loadOf, platform)).map(
    ([name, load]) => [name, () => loadOnce({ ...load, connections: 1 })] as const,
  );
  const rates = await interleaved(Object.fromEntries(works), rounds);
  const first = rates['ledger: first page'] ?? 0;
  for (const [name, rate] of Object.entries(rates))
    console.log(`${name}: ${(1000 / rate).toFixed(1)} ms, ${(first / rate).toFixed(2)}x the first page`);
}
