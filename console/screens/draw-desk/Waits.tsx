import { use } from 'react';
import { type DeskWait, deskWait } from '#contract/draw-desk.ts';
import { wordOf } from '#contract/fields.ts';
import type { ScreenPath } from '#contract/screens.ts';
import { Tag, type Tone } from '../../kit/form/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { RowContext, ScreenLink } from '../../kit/overlay/index.ts';
import { ageOf } from '../../parts/words.ts';
import { ElapsedContext } from './Countdown.tsx';
import { WaitActions } from './WaitActions.tsx';

const tones: Readonly<Record<DeskWait['kind'], Tone>> = {
  ...{ ALARM: 'bad', LATE: 'bad', CONFLICT: 'bad', HELD: 'warn' },
  ...{ AWAITED: 'warn', ENTRY: 'busy', VOIDED: 'idle' },
};
/** What is bad stands first, what is merely to be known last. */
const order: readonly DeskWait['kind'][] = [
  ...(['ALARM', 'CONFLICT', 'LATE', 'HELD'] as const),
  ...(['AWAITED', 'ENTRY', 'VOIDED'] as const),
];

type WholeList = readonly [to: ScreenPath, search: Readonly<Record<string, string>>];
/** The list that has all of a kind; what waits for agreement or to take effect is in a dialog. */
const lists: Readonly<Partial<Record<DeskWait['kind'], WholeList>>> = {
  ALARM: ['/main/game/open-plan', { alarming: 'YES' }],
  LATE: ['/main/game/open-plan', { overdue: 'YES' }],
  CONFLICT: ['/main/game/open-record', { conflict: 'true' }],
  HELD: ['/main/bet/settlement', { status: 'HELD' }],
  VOIDED: ['/main/bet/settlement', { kind: 'VOID' }],
};

const groupOf = ({ kind, gameId }: DeskWait): string => `${kind}/${gameId}`;

/** The first of each game and kind, which is the oldest that is shown; it tells of those that are not. */
const firsts = (waits: readonly DeskWait[]): DeskWait[] =>
  waits.filter((wait, place) => waits.findIndex((each) => groupOf(each) === groupOf(wait)) === place);

/** How many phases wait, those that are not shown too. */
export const countWaits = (waits: readonly DeskWait[]): number =>
  firsts(waits).reduce((sum, { total }) => sum + total, 0);

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

/** How many of the same wait for longer, and the way to them. */
function Earlier({ wait: { kind, gameId }, count }: { readonly wait: DeskWait; readonly count: number }) {
  const text = `更早的还有 ${count} 期`;
  const [to, search] = lists[kind] ?? [];
  if (to === undefined) return <span className="draws-soft">{text}</span>;
  return (
    <ScreenLink to={to} search={{ gameId, ...search }}>
      {text}
    </ScreenLink>
  );
}

function Wait({ wait, earlier }: { readonly wait: DeskWait; readonly earlier: number }) {
  const elapsed = use(ElapsedContext);
  const { kind, gameId, gameName, phase, since, age, settlementId } = wait;
  // What is half entered for one phase is never found again in another's form.
  const row = {
    row: { id: keyOf(wait) },
    // Two games may have phases of one number.
    about: () => [
      { label: '游戏', value: gameName },
      { label: '期号', value: phase },
    ],
  };
  return (
    <li aria-label={`${wordOf(deskWait, kind)} ${gameName} 期号 ${phase}`}>
      <p className="draws-wait-head">
        <Tag tone={tones[kind]}>{wordOf(deskWait, kind)}</Tag>
        <strong>{gameName}</strong>
        <span>期号 {phase}</span>
        <span title={`自 ${since}`}>已 {ageOf(age + elapsed)}</span>
      </p>
      {noteOf(wait) !== null && <p className="draws-note">{noteOf(wait)}</p>}
      {/* Whoever comes to a button by Tab hears whose it is. */}
      {/* biome-ignore lint/a11y/useSemanticElements: nothing here is filled in */}
      <div className="draws-actions" role="group" aria-description={`${gameName} 期号 ${phase}`}>
        <RowContext value={row}>
          <WaitActions wait={wait} />
        </RowContext>
        <ScreenLink to="/main/game/open-plan" search={{ gameId, phase }}>
          计划
        </ScreenLink>
        <ScreenLink to="/main/game/open-record" search={{ gameId, phase }}>
          记录
        </ScreenLink>
        <ScreenLink to="/main/bet/exposure" search={{ gameId, phase }}>
          单期风险
        </ScreenLink>
        {settlementId !== null && (
          <RowLink noun="settlement" row={{ id: settlementId }}>
            结算
          </RowLink>
        )}
        {earlier > 0 && <Earlier wait={wait} count={earlier} />}
      </div>
    </li>
  );
}

/** What waits for a person, and since when. */
export function Waits({ waits }: { readonly waits: readonly DeskWait[] }) {
  if (waits.length === 0) return <p className="draws-soft">没有需要处理的期次</p>;
  const first = new Set(firsts(waits));
  const shown = Map.groupBy(waits, groupOf);
  const earlierThan = (wait: DeskWait): number =>
    first.has(wait) ? wait.total - (shown.get(groupOf(wait))?.length ?? 0) : 0;
  const sorted = waits.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  return (
    <ul className="draws-waits">
      {sorted.map((wait) => (
        <Wait key={keyOf(wait)} wait={wait} earlier={earlierThan(wait)} />
      ))}
    </ul>
  );
}
