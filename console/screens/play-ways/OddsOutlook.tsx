import { previewOddsTable } from '#contract/odds.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { usePaused } from '../../kit/form/index.ts';
import { ReturnHint } from '../../parts/betting-rules/ReturnHint.tsx';
import { MarginHint } from './MarginHint.tsx';
import { isOdds } from './odds-table.ts';

interface Row {
  readonly numberId: number;
  readonly odds: string;
}

interface Outlook {
  /** Of the play way. */
  readonly name: string | undefined;
  readonly margin: string | null;
  readonly returnRate: string | null;
  readonly rateOf: (numberId: number) => string | null;
}

/** What the odds as entered would return and leave the house, once the typing pauses. */
export function useOutlook(playWayId: number, rows: readonly Row[]): Outlook & { readonly told: boolean } {
  const whole = rows.filter(({ odds }) => isOdds(odds)).map(({ numberId, odds }) => ({ numberId, odds }));
  const input = { playWayId, rows: usePaused(whole, JSON.stringify(whole)) };
  const { data } = useEndpoint(previewOddsTable, input, { loading: false, enabled: input.rows.length > 0 });
  const rates = new Map(data?.rows.map(({ numberId, returnRate }) => [numberId, returnRate]));
  return {
    ...{ name: data?.name, margin: data?.margin ?? null, returnRate: data?.returnRate ?? null },
    ...{ told: data !== undefined && rows.length > 0, rateOf: (id) => rates.get(id) ?? null },
  };
}

/** How many odds are about to change, and what they would make of the play way. */
export const OddsOutlook = ({
  outlook,
  count,
}: {
  outlook: ReturnType<typeof useOutlook>;
  count: number;
}) => (
  <p className="odds-outlook" role="status">
    {`将修改 ${count} 个赔率`}
    {outlook.told && (
      <>
        ；返还率最高 <ReturnHint rate={outlook.returnRate} />
        {outlook.margin !== null && (
          <>
            ，<MarginHint margin={outlook.margin} told />
          </>
        )}
      </>
    )}
  </p>
);
