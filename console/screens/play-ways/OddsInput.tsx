import { previewOdds } from '#contract/odds.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { type InputProps, NumberInput, usePaused } from '../../kit/form/index.ts';
import { ReturnHint } from '../../parts/betting-rules/ReturnHint.tsx';
import { MarginHint } from './MarginHint.tsx';
import { isOdds } from './odds-table.ts';
import '../../parts/betting-rules/betting-rules.css';

/** Odds, and below them what they would leave the house, while they are typed. */
export function OddsInput({ id, value, values, onChange }: InputProps) {
  const text = String(value ?? '');
  const odds = usePaused(text.trim());
  const chosen = Array.isArray(values.numberIds) ? values.numberIds : [];
  const numbers = usePaused(chosen.join(','));
  return (
    <>
      <NumberInput id={id} value={text} onChange={onChange} />
      {/* It comes while somebody is about to press a button below, which must not move away then. */}
      <div className="odds-outlook-room">
        {isOdds(odds) && numbers !== '' && (
          <Outlook playWayId={Number(values.playWayId)} numberIds={numbers.split(',')} odds={odds} />
        )}
      </div>
    </>
  );
}

interface OutlookProps {
  readonly playWayId: number;
  readonly numberIds: readonly string[];
  readonly odds: string;
}

function Outlook({ playWayId, numberIds, odds }: OutlookProps) {
  const { data } = useEndpoint(previewOdds, { playWayId, numberIds, odds }, { loading: false });
  if (!data) return null;
  return (
    <p className="odds-outlook" role="status">
      返还率 <ReturnHint rate={data.returnRate} />
      {data.margin !== null && (
        <>
          ，<MarginHint margin={data.margin} told />
        </>
      )}
    </p>
  );
}
