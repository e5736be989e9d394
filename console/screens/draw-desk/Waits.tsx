import { use } from 'react';
import { type DeskWait, deskWait } from '#contract/draw-desk.ts';
import { metaOf } from '#contract/fields.ts';
import { Tag, type Tone } from '../../kit/form/index.ts';
import { DrillLink, RowLink } from '../../kit/list/index.ts';
import { RowContext } from '../../kit/overlay/index.ts';
import { ageOf } from '../../parts/words.ts';
import { ElapsedContext } from './Countdown.tsx';
import { WaitActions } from './WaitActions.tsx';

const words = metaOf(deskWait).choices ?? {};
const tones: Readonly<Record<DeskWait['kind'], Tone>> = {
  ...{ ALARM: 'bad', LATE: 'bad', CONFLICT: 'bad', HELD: 'warn' },
  ...{ AWAITED: 'warn', ENTRY: 'busy', VOIDED: 'idle' },
};
/** What is bad stands first, what is merely to be known last. */
const order: readonly DeskWait['kind'][] = [
  ...(['ALARM', 'CONFLICT', 'LATE', 'HELD'] as const),
  ...(['AWAITED', 'ENTRY', 'VOIDED'] as const),
];

const keyOf = ({ kind, gameId, phase, settlementId }: DeskWait): string =>
  [kind, gameId, phase, settlementId ?? ''].join('/');

/** What sources said of a conflict, the standing result first. */
const noteOf = ({ note, record }: DeskWait): string | null =>
  record === null
    ? note
    : [
        `${record.source ?? '来源不详'}：${record.result}（现行）`,
        ...record.conflicts.map(({ source, result }) => `${source}：${result}`),
      ].join('；');

function Wait({ wait }: { readonly wait: DeskWait }) {
  const elapsed = use(ElapsedContext);
  const { kind, gameId, gameName, phase, since, age, settlementId } = wait;
  // What is half entered for one phase is never found again in another's form.
  const row = { row: { id: keyOf(wait) }, about: () => [] };
  return (
    <li aria-label={`${words[kind]} ${gameName} 期号 ${phase}`}>
      <p className="draws-wait-head">
        <Tag tone={tones[kind]}>{words[kind]}</Tag>
        <strong>{gameName}</strong>
        <span>期号 {phase}</span>
        <span title={`自 ${since}`}>已 {ageOf(age + elapsed)}</span>
      </p>
      {noteOf(wait) !== null && <p className="draws-note">{noteOf(wait)}</p>}
      <div className="draws-actions">
        <RowContext value={row}>
          <WaitActions wait={wait} />
        </RowContext>
        <RowLink noun="drawPlan" row={{ gameId, phase }}>
          计划
        </RowLink>
        <RowLink noun="drawRecord" row={{ gameId, phase }}>
          记录
        </RowLink>
        <DrillLink to="/main/bet/exposure" search={{ gameId, phase }}>
          单期风险
        </DrillLink>
        {settlementId !== null && (
          <DrillLink to="/main/bet/settlement" search={{ id: settlementId }}>
            结算
          </DrillLink>
        )}
      </div>
    </li>
  );
}

/** What waits for a person, and since when. */
export function Waits({ waits }: { readonly waits: readonly DeskWait[] }) {
  if (waits.length === 0) return <p className="draws-soft">没有需要处理的期次</p>;
  const sorted = waits.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  return (
    <ul className="draws-waits">
      {sorted.map((wait) => (
        <Wait key={keyOf(wait)} wait={wait} />
      ))}
    </ul>
  );
}
