import type { ReactNode } from 'react';
import { wordOf } from '#contract/fields.ts';
import { HeldSlip, pageHeldSlips, releaseHeldSlips, type Settlement } from '#contract/settlements.ts';
import { useEndpoint, useMayOpen } from '../../kit/call/index.ts';
import { FormButton, moneyText } from '../../kit/form/index.ts';
import { Detail, DetailTable, RowLink } from '../../kit/list/index.ts';
import { ScreenLink } from '../../kit/overlay/index.ts';

const MOST_SHOWN = 100;
const headings = ['注单编号', '用户编号', '原因', '说明', { number: '待派彩' }, '下次重试', '操作'];

/** The slips that were set aside, each with why, and with what can be done about it. */
function Held({ id, held }: { readonly id: number; readonly held: number }) {
  const { data } = useEndpoint(
    pageHeldSlips,
    { id, currentPage: 1, pageSize: MOST_SHOWN },
    { loading: false },
  );
  if (!data) return null;
  return (
    <>
      <DetailTable headings={headings}>
        {data.data.map(({ slipId, userId, cause, problem, payout, released, nextTime }) => (
          <tr key={slipId}>
            <td>
              <RowLink noun="slip" row={{ id: slipId }}>
                {String(slipId)}
              </RowLink>
            </td>
            <td>
              <RowLink noun="user" row={{ id: userId }}>
                {String(userId)}
              </RowLink>
            </td>
            <td>{wordOf(HeldSlip.shape.cause, cause)}</td>
            <td>{problem}</td>
            <td>{payout === null ? '—' : moneyText(payout)}</td>
            <td>{nextTime ?? '—'}</td>
            <td>
              {cause === 'BIG_WIN' && !released && (
                <FormButton
                  endpoint={releaseHeldSlips}
                  fields={[{ field: 'reason', placeholder: '请写明核对了什么' }]}
                  initial={{ id, slipId }}
                  title={`放行注单 ${slipId} 的派彩`}
                >
                  放行
                </FormButton>
              )}
            </td>
          </tr>
        ))}
      </DetailTable>
      {held > MOST_SHOWN && (
        <p>
          只列出前 {MOST_SHOWN} 张，共 {held} 张。
        </p>
      )}
    </>
  );
}

/** What of its phase a void covers, but for the time of placing; nothing of what is no void. */
function scopeOf({ kind, playWayId, slipId, createTimeFrom }: Settlement): ReactNode {
  if (playWayId !== null)
    return <RowLink noun="playWay" row={{ id: playWayId }}>{`玩法 ${playWayId}`}</RowLink>;
  if (slipId !== null) return <RowLink noun="slip" row={{ id: slipId }}>{`注单 ${slipId}`}</RowLink>;
  return kind === 'VOID' && createTimeFrom === null && '整期';
}

const SLIPS = '/main/bet/slip';
const RECORDS = '/main/game/open-record';

/** Where the slips of the phase and its record are, for whoever may open those. */
function useWays({ gameId, phase, result }: Settlement): [string, ReactNode][] {
  const seesSlips = useMayOpen(SLIPS);
  const seesRecord = useMayOpen(RECORDS) && result !== null;
  const way = (to: typeof SLIPS | typeof RECORDS, words: string) => (
    <ScreenLink to={to} search={{ gameId, phase }}>
      {words}
    </ScreenLink>
  );
  return [
    ['该期注单', seesSlips && way(SLIPS, '查看注单')],
    ['开奖记录', seesRecord && way(RECORDS, '来源与更正')],
  ];
}

/** What a settlement is about, who began it and why, how far it is; then the slips that wait. */
export function SettlementDetail({ settlement }: { readonly settlement: Settlement }) {
  const { id, total, slips, waiting, held, createTimeFrom, createTimeTo, userName, endTime, reason, undone } =
    settlement;
  const parts: [string, ReactNode][] = [
    ['进度', `涉及 ${total} 张，已变更 ${slips} 张，排队中 ${waiting} 张，待处理 ${held} 张`],
    ['作废范围', scopeOf(settlement)],
    ['投注时间', createTimeFrom && `${createTimeFrom} 至 ${createTimeTo}`],
    ['结束时间', endTime],
    ['操作员', userName],
    ['原因', reason],
    ['恢复', undone && '已恢复'],
    ...useWays(settlement),
  ];
  return (
    <>
      <Detail parts={parts.map(([title, value]) => [title, value || undefined])} wide />
      {held > 0 && <Held id={id} held={held} />}
    </>
  );
}
