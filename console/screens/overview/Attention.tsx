import { type Overview, replicaTroubles } from '#contract/overview.ts';
import { openRoutes } from '#contract/screens.ts';
import { moneyText } from '../../kit/form/index.ts';
import { screenAddress } from '../../kit/overlay/index.ts';
import { ageOf } from '../../parts/words.ts';
import { Tile } from './Tile.tsx';

interface Item {
  readonly title: string;
  readonly n: number;
  readonly note: string;
  readonly to: string;
  /** Something is wrong, not merely to be done. */
  readonly alarming?: boolean;
  /** It waits for others, not for whoever looks. */
  readonly others?: boolean;
}

/** What is wrong comes first, then what waits for whoever looks. */
const levels = ['bad', 'busy', 'calm'] as const;
const levelOf = ({ n, alarming, others }: Item): (typeof levels)[number] => {
  if (n === 0) return 'calm';
  if (alarming) return 'bad';
  return others ? 'calm' : 'busy';
};

type Waiting = NonNullable<Overview['deposits']>['waiting'];

const waitingNote = ({ count, amount, seconds }: Waiting): string =>
  count === 0 ? '没有待处理的订单' : `共 ${moneyText(amount)}，最久已等 ${ageOf(seconds)}`;

function orderItems({ deposits, withdrawals }: Overview): Item[] {
  const waiting = { status: 'PROCESSING' };
  return [
    ...(deposits
      ? [
          {
            title: '待审核充值',
            n: deposits.waiting.count,
            note: waitingNote(deposits.waiting),
            to: screenAddress('/main/user/deposit-record', waiting),
          },
        ]
      : []),
    ...(withdrawals
      ? [
          {
            title: '待处理提现',
            n: withdrawals.waiting.count,
            note: waitingNote(withdrawals.waiting),
            to: screenAddress('/main/user/withdraw-record', waiting),
          },
        ]
      : []),
  ];
}

function planItems({ plans, today }: Overview): Item[] {
  if (!plans) return [];
  const path = '/main/game/open-plan';
  const unplanned = {
    title: '没有开奖计划',
    n: plans.unplanned.length,
    note: '自动生成没有成功，不处理就不能投注，见下',
    to: screenAddress('/main/game/lottery'),
    alarming: true,
  };
  return [
    {
      title: '等待开奖结果',
      n: plans.opening,
      note: `今日还有 ${plans.upcoming} 期待开奖`,
      to: screenAddress(path, { status: 'OPENING' }),
    },
    {
      title: '开奖逾期',
      n: plans.late,
      note: plans.late > 0 ? '结果早该到了，请检查采集' : '没有逾期的期次',
      to: screenAddress(path, { overdue: 'YES' }),
      alarming: true,
    },
    {
      title: '今日待开奖',
      n: plans.upcoming,
      note: '今天开始投注、尚未开奖的期次',
      to: screenAddress(path, { status: 'WAITTING', startTimeRange: today }),
    },
    ...(unplanned.n > 0 ? [unplanned] : []),
  ];
}

function drawItems({ alarms, conflicts, spiders }: Overview): Item[] {
  const items: Item[] = [];
  if (alarms && alarms.count > 0)
    items.push({
      title: '开奖告警',
      n: alarms.count,
      note: '这些期次要处理，原因见下',
      to: screenAddress('/main/game/open-plan', { alarming: 'YES' }),
      alarming: true,
    });
  if (conflicts !== null)
    items.push({
      title: '结果冲突',
      n: conflicts,
      note: conflicts > 0 ? '来源之间结果不一致，请核对' : '各来源结果一致',
      to: screenAddress('/main/game/open-record', { conflict: 'true' }),
      alarming: true,
    });
  if (spiders)
    items.push({
      title: '采集失败',
      n: spiders.failingCount,
      note: `共启用 ${spiders.enabled} 个采集`,
      to: screenAddress('/main/game/spider', { failing: 'YES' }),
      alarming: true,
    });
  return items;
}

function settlementItems({ settlements, rebates }: Overview): Item[] {
  const items: Item[] = [];
  if (settlements)
    items.push({
      title: '待处理结算',
      n: settlements.count,
      note: settlements.count === 0 ? '没有待处理的结算' : `其中 ${settlements.bigWins} 笔大额派彩待放行`,
      to: screenAddress('/main/bet/settlement', { status: 'HELD' }),
    });
  if (rebates)
    items.push({
      title: '待放行返水',
      n: 1,
      note: `平台日 ${rebates.day}，共 ${moneyText(rebates.amount)}`,
      to: screenAddress('/main/bet/rebate', { status: 'PREPARED' }),
    });
  return items;
}

function betItems({ betsProof }: Overview): Item[] {
  if (!betsProof) return [];
  return [
    {
      title: '注单复算不符',
      n: betsProof.broken,
      note: `${betsProof.day} 复算 ${betsProof.slips} 张注单，不符之处见下`,
      to: screenAddress('/main/bet/settlement'),
      alarming: true,
    },
  ];
}

function approvalItems({ approvals }: Overview): Item[] {
  if (!approvals) return [];
  const { enabled, pending, releasable, short } = approvals;
  const waiting = pending > 0 ? `其中 ${releasable} 项可由您复核` : '没有待复核的操作';
  const off = '复核未开启，重要操作由一人即可完成';
  const lacking = `${short.join('、')}的操作员不足两名，这些操作不会执行`;
  return [
    {
      title: '待复核',
      n: pending,
      note: short.length > 0 ? lacking : enabled || pending > 0 ? waiting : off,
      others: releasable === 0,
      to: screenAddress('/main/system/approval', { status: 'PENDING' }),
      alarming: short.length > 0,
    },
  ];
}

function ownItems({ newAddresses }: Overview): Item[] {
  if (newAddresses === null) return [];
  return [
    {
      title: '新地址登录',
      n: newAddresses,
      note: '您的账号从新地址登录过，请确认是否本人',
      to: openRoutes.safe.path,
      alarming: true,
    },
  ];
}

function systemItems({ replica, background }: Overview): Item[] {
  const told = { to: openRoutes.document.path, alarming: true };
  return [
    ...(replica
      ? [
          {
            ...told,
            title: '只读副本',
            n: 1,
            note: `副本${replicaTroubles[replica]}，查询暂由主库处理，请通知运维`,
          },
        ]
      : []),
    ...(background
      ? [
          {
            ...told,
            title: '后台工作故障',
            n: background.length,
            note: `失败或拖欠：${background.join('；')}。请通知运维`,
          },
        ]
      : []),
  ];
}

/** What waits for somebody. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const items = [
    ...ownItems(overview),
    ...approvalItems(overview),
    ...orderItems(overview),
    ...settlementItems(overview),
    ...planItems(overview),
    ...drawItems(overview),
    ...betItems(overview),
    ...systemItems(overview),
  ];
  if (items.length === 0) return null;
  return (
    <section aria-label="待处理">
      <h2>待处理</h2>
      <ul className="overview-tiles">
        {levels.flatMap((level) =>
          items
            .filter((item) => levelOf(item) === level)
            .map((item) => (
              <li key={item.title}>
                <Tile {...item} level={level} />
              </li>
            )),
        )}
      </ul>
    </section>
  );
}
