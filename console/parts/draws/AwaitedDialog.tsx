import { type AwaitedAgreement, pageAwaitedAgreements } from '#contract/draw-records.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Detail } from '../../kit/list/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';
import { ageOf } from '../words.ts';
import './draws.css';

const MOST_SHOWN = 50;
const POLL_MS = 5_000;

/** What each source said and when, who said nothing, and what somebody entered by hand. */
function said({ agreeSources, words, silent, entry }: AwaitedAgreement): string[] {
  return [
    `须 ${agreeSources} 个来源一致`,
    ...words.map(({ source, result, createTime }) => `${source}：${result}（${createTime}）`),
    ...(silent.length > 0 ? [`尚无结果：${silent.join('、')}`] : []),
    ...(entry
      ? [
          `${entry.userName} 于 ${entry.createTime} 人工录入 ${entry.result}，${entry.dueTime} 生效，其间来源的结果优先。依据：${entry.evidence}`,
        ]
      : []),
  ];
}

const Waited = ({ awaited }: { readonly awaited: AwaitedAgreement }) => (
  <>
    自 {awaited.since} 起已等 {ageOf(awaited.ageSeconds)}
    <ul>
      {said(awaited).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </>
);

/** Phases on which not enough sources agree yet, or whose entered result waits: what was said by whom, and for how long it has been waited. */
export function AwaitedDialog() {
  const input = { currentPage: 1, pageSize: MOST_SHOWN };
  const { data } = useEndpoint(pageAwaitedAgreements, input, { everyMs: POLL_MS });
  return (
    <Dialog title="等待来源一致的期次" width={720}>
      {data?.data.length === 0 && <p className="draw-note">没有等待来源一致的期次。</p>}
      <Detail
        parts={(data?.data ?? []).map((awaited) => [
          `${awaited.gameName} 期号 ${awaited.phase}`,
          <Waited key={awaited.phase} awaited={awaited} />,
        ])}
      />
    </Dialog>
  );
}
