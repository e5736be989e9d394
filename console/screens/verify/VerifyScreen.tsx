import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { type DrawVerification, verifyDraw } from '#contract/draw-records.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Tag } from '../../kit/form/index.ts';
import { Detail } from '../../kit/list/index.ts';
import { beaconParts } from './beacon-parts.ts';
import { type CheckedDraw, checkDraw } from './check-draw.ts';
import '../../parts/draws/draws.css';

/** What this browser finds when it computes the draw itself; nothing before the draw or without its cryptography. */
function useCheck(draw: DrawVerification | undefined): CheckedDraw | undefined {
  const [checked, setChecked] = useState<CheckedDraw>();
  useEffect(() => {
    if (draw?.seed && 'subtle' in crypto) void checkDraw(draw, draw.seed).then(setChecked);
  }, [draw]);
  return checked;
}

function Verdict({ draw, checked }: { draw: DrawVerification; checked: CheckedDraw | undefined }) {
  if (draw.voided) return <Tag tone="bad">本期已作废，没有开奖结果</Tag>;
  if (draw.seed === null) return <Tag tone="busy">尚未开奖，种子在开奖后公布</Tag>;
  if (!checked && 'subtle' in crypto) return <Tag tone="busy">正在验证…</Tag>;
  if (!checked) return <Tag tone="warn">此浏览器无法自行计算，请按下面的方法验证</Tag>;
  const isRight = checked.commitment === draw.commitment && checked.result === draw.result;
  return isRight ? (
    <Tag tone="good">
      {draw.rules.beacon
        ? '验证通过：承诺值由种子得出，结果由种子与公开随机值得出'
        : '验证通过：承诺值与结果均由种子得出'}
    </Tag>
  ) : (
    <Tag tone="bad">验证不通过</Tag>
  );
}

function Draw({ draw }: { readonly draw: DrawVerification }) {
  const checked = useCheck(draw);
  const { count, pool, repeat } = draw.rules;
  const isLate = draw.startTime !== null && draw.commitTime > draw.startTime;
  const parts: [string, string | null][] = [
    ['游戏', `${draw.gameName}（编号 ${draw.gameId}）`],
    ['期号', draw.phase],
    ['承诺值', draw.commitment],
    ['承诺时间', `${draw.commitTime}${isLate ? '（晚于投注开始）' : ''}`],
    ['投注开始', draw.startTime],
    ['开奖时间', draw.endTime],
    ['开奖规则', `从 ${pool.join(',')} 中${repeat ? '可重复地' : '不重复地'}抽取 ${count} 个`],
    ...beaconParts(draw),
    ['种子', draw.seed],
    ['开奖结果', draw.result],
    ...(draw.voided
      ? [
          ['作废时间', draw.voided.time] satisfies [string, string],
          ['作废原因', draw.voided.reason] satisfies [string, string],
        ]
      : []),
  ];
  return (
    <>
      <p>
        <Verdict draw={draw} checked={checked} />
      </p>
      <Detail parts={parts} />
      {checked && <pre className="verify-text">{checked.text}</pre>}
    </>
  );
}

/** A local draw, checked by whoever looks: open to everyone, and computed in the visitor's own browser. */
export function VerifyScreen() {
  const { gameId = '', phase = '' } = useParams();
  const { data, error } = useEndpoint(verifyDraw, { gameId, phase });
  return (
    <main className="verify">
      <article className="verify-card">
        <h1>本地开奖验证</h1>
        {data && <Draw draw={data} />}
        {error && <p>读取不到这一期的承诺记录：{error.message}。</p>}
        <h2>如何自行验证</h2>
        <ol>
          <li>
            投注开始前公布承诺值：对四行文本（game 游戏编号、phase 期号、draw 规则、种子，以换行连接）计算
            SHA-256。承诺了公开随机值的，种子之前还有一行：beacon 地址 JSONPath at 公布时间（秒） within
            最多等待的分钟数 minutes。
          </li>
          <li>开奖后公布种子；用它重新计算，应与承诺值相同。</li>
          <li>
            承诺了公开随机值的，先以 HMAC-SHA256(种子, 公开随机值)
            代替下面的种子；公开随机值请自行到承诺的地址核对。
          </li>
          <li>
            随机数依次取自 HMAC-SHA256(种子, "0")、("1")、…，每块 8 个 32
            位大端整数；丢弃不小于“号码数的最大整数倍”的数，余下的对剩余号码数取余，即为抽中的位置（从 0
            起）；不可重复时抽中的号码移出。
          </li>
        </ol>
      </article>
    </main>
  );
}
