import { useSearchParams } from 'react-router';
import { wordOf } from '#contract/fields.ts';
import { pageReport, type ReportRow, reportGroup } from '#contract/reports.ts';
import { ListScreen, type SearchValue } from '../../kit/list/index.ts';
import { ScreenLink } from '../../kit/overlay/index.ts';
import { ReportHead } from './ReportHead.tsx';
import { type Search, waysOf } from './report-ways.ts';

const others = ['range', 'gameId', 'playWayId', 'userId', 'agentId'] as const;
const names = ['groupBy', ...others] as const;
/** There is no report by everything at once: where nothing is chosen it is by day. */
const search = [{ field: 'groupBy', placeholder: wordOf(reportGroup, 'DAY') }, ...others] as const;

/** The search as the address has it. */
function useSearch(): Search {
  const [params] = useSearchParams();
  const held = names.flatMap((name): [string, SearchValue][] => {
    const values = params.getAll(name).filter((value) => value !== '');
    const [first] = values;
    if (first === undefined) return [];
    return [[name, name === 'range' ? values : first]];
  });
  return Object.fromEntries(held);
}

function Ways({ row }: { readonly row: ReportRow }) {
  const ways = waysOf(row, useSearch());
  if (!ways) return null;
  return (
    <>
      <ScreenLink to="/main/bet/report" search={ways.into}>
        {wordOf(reportGroup, ways.into.groupBy)}
      </ScreenLink>
      <ScreenLink to="/main/bet/slip" search={ways.slips}>
        注单
      </ScreenLink>
    </>
  );
}

/** What slips came to by day, game, play way, player or agent, down to the slips themselves. */
export function ReportScreen() {
  return (
    <ListScreen
      endpoint={pageReport}
      search={search}
      above={(answer, asked) => (
        <ReportHead report={answer && { rows: answer.data, totals: answer.totals }} search={asked} />
      )}
      columns={[
        { field: 'name', width: 130, least: 84 },
        { field: 'slips', width: 76 },
        { field: 'players', width: 84 },
        ...(['stake', 'turnover', 'payout', 'refund', 'rebate', 'result'] as const).map((field) => ({
          field,
          width: 104,
          least: 84,
        })),
        { field: 'rate', width: 84, least: 72 },
        { field: 'unsettled', width: 100, least: 84 },
      ]}
      rowActions={(row) => <Ways row={row} />}
    />
  );
}
