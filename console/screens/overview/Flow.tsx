import { Link } from 'react-router';
import type { Overview } from '#contract/overview.ts';
import { countText, moneyText } from '../../kit/form/index.ts';
import { screenAddress } from '../../kit/overlay/index.ts';
import { changeOf } from '../../parts/words.ts';

type Span = 'today' | 'month';
const spans = [
  { span: 'today', before: 'yesterday', title: '今日', against: '较昨日同期' },
  { span: 'month', before: 'lastMonth', title: '本月', against: '较上月同期' },
] as const;

interface Figure {
  readonly title: string;
  readonly shown: string;
  readonly note: string;
  readonly now: string;
  readonly before: string;
  readonly to?: string;
  /** Neither more nor less of it is good news as such. */
  readonly neutral?: boolean;
}

type Spanned = (typeof spans)[number];

function orderFigure(title: string, orders: NonNullable<Overview['deposits']>, { span, before }: Spanned) {
  const { count, amount } = orders[span];
  return {
    title,
    shown: moneyText(amount),
    note: `${count} 笔`,
    now: amount,
    before: orders[before].amount,
  };
}

function figuresOf(overview: Overview, spanned: Spanned): Figure[] {
  const { deposits, withdrawals, net, players } = overview;
  const { span, before } = spanned;
  const range: Record<Span, readonly string[]> = { today: overview.today, month: overview.month };
  const paid = { status: 'SUCCESS', createTimeRange: range[span] };
  const figures: Figure[] = [];
  if (deposits)
    figures.push({
      ...orderFigure('充值', deposits, spanned),
      to: screenAddress('/main/user/deposit-record', paid),
    });
  if (withdrawals)
    figures.push({
      ...orderFigure('提现', withdrawals, spanned),
      neutral: true,
      to: screenAddress('/main/user/withdraw-record', paid),
    });
  if (net)
    figures.push({
      title: '净额',
      shown: moneyText(net[span]),
      note: '充值减提现',
      now: net[span],
      before: net[before],
    });
  if (players)
    figures.push({
      title: '新增用户',
      shown: countText(players[span]),
      note: `共 ${countText(players.total)} 人`,
      now: String(players[span]),
      before: String(players[before]),
      to: screenAddress('/main/user/user', { createTimeRange: range[span] }),
    });
  return figures;
}

const FEW = 2;
/** So many signs stand in a tile at 1280 pixels in the usual size. */
const USUAL = 18;

/** Money and players of today and of this month against the days before. */
export function Flow({ overview }: { readonly overview: Overview }) {
  const rows = spans.map((spanned) => ({ spanned, figures: figuresOf(overview, spanned) }));
  const most = Math.max(...rows.map(({ figures }) => figures.length));
  if (most === 0) return null;
  const sections = rows.map(({ spanned, figures }) => {
    return (
      <section key={spanned.span} aria-label={spanned.title}>
        <h2>{spanned.title}</h2>
        <ul className="overview-tiles overview-flow">
          {figures.map((figure) => (
            <li key={figure.title}>
              <FlowTile figure={figure} against={spanned.against} />
            </li>
          ))}
        </ul>
      </section>
    );
  });
  // An operator who may see little has both spans side by side, instead of two rows that are half empty.
  return most > FEW ? sections : <div className="overview-pair">{sections}</div>;
}

function FlowTile({ figure, against }: { readonly figure: Figure; readonly against: string }) {
  const { title, shown, note, now, before, to, neutral = false } = figure;
  const change = changeOf(Number(now), Number(before));
  const content = (
    <>
      <span className="overview-title">{title}</span>
      <strong data-long={shown.length > USUAL || undefined}>{shown}</strong>
      <span className="overview-note">
        {note} · {against} <b data-direction={neutral ? 'same' : change.direction}>{change.text}</b>
      </span>
    </>
  );
  return to ? (
    <Link to={to} className="overview-tile">
      {content}
    </Link>
  ) : (
    <div className="overview-tile">{content}</div>
  );
}
