import type { ReportGroup, ReportRow } from '#contract/reports.ts';
import type { SearchValue } from '../../kit/list/index.ts';

export type Search = Readonly<Record<string, SearchValue>>;

/** What rows are looked into by, one after the other, until only slips are left. */
const next: Readonly<Record<ReportGroup, ReportGroup>> = {
  DAY: 'GAME',
  GAME: 'PLAY_WAY',
  PLAY_WAY: 'USER',
  USER: 'DAY',
  AGENT: 'USER',
};

const fields = { GAME: 'gameId', PLAY_WAY: 'playWayId', USER: 'userId', AGENT: 'agentId' } as const;

const isGroup = (value: SearchValue | undefined): value is ReportGroup =>
  typeof value === 'string' && Object.hasOwn(next, value);

/** What the rows of a search are of. */
export const groupOf = ({ groupBy }: Search): ReportGroup => (isGroup(groupBy) ? groupBy : 'DAY');

interface Ways {
  /** The report of this row alone, by what comes next. */
  readonly into: Search & { readonly groupBy: ReportGroup };
  /** The slips whose stakes the row counts. */
  readonly slips: Search;
}

/** Where a row leads; nowhere where it stands for what belongs to none. */
export function waysOf({ key }: Pick<ReportRow, 'key'>, search: Search): Ways | undefined {
  if (key === '0') return undefined;
  const by = groupOf(search);
  const { groupBy: _, range: asked, ...rest } = search;
  const range = by === 'DAY' ? [key, key] : asked;
  const own: Search = by === 'DAY' ? rest : { ...rest, [fields[by]]: key };
  return {
    into: { ...own, ...(range ? { range } : {}), groupBy: next[by] },
    slips: { ...own, ...(range ? { dayRange: range } : {}), testAccount: 'false' },
  };
}
