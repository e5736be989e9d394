import { Fragment, useRef, useState } from 'react';
import { wordOf } from '#contract/fields.ts';
import { rightsFor } from '#contract/missing-right.ts';
import { type MoneyDesk, type OrderKey, type OrderKind, orderKind, orderName } from '#contract/money-desk.ts';
import { needsText } from '../../kit/call/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { UpToDate } from '../../parts/UpToDate.tsx';
import { AskFirst } from './AskFirst.tsx';
import type { Hold } from './Decision.tsx';
import { deciding } from './decided-kinds.ts';
import { OnDesk } from './OnDesk.tsx';
import { Queue } from './Queue.tsx';
import { useDesk } from './use-desk.ts';
import { useKeys } from './use-keys.ts';
import './money-desk.css';

interface KindsProps {
  readonly kinds: readonly OrderKind[];
  readonly kind: OrderKind | null;
  readonly onChoose: (kind: OrderKind | null) => void;
}

/** Which orders the queue shows, for whoever may decide more than one kind. */
const Kinds = ({ kinds, kind, onChoose }: KindsProps) =>
  kinds.length > 1 && (
    <fieldset aria-label="订单种类" className="desk-kinds">
      {[null, ...kinds].map((each) => (
        <Button
          key={each}
          aria-pressed={kind === each}
          tone={kind === each ? 'primary' : 'normal'}
          onClick={() => onChoose(each)}
        >
          {each === null ? '全部' : wordOf(orderKind, each)}
        </Button>
      ))}
    </fieldset>
  );

const NEEDED = needsText(Object.values(deciding).flatMap(rightsFor));

/** What stands on the desk of whoever may decide nothing. */
const Undecided = () => (
  <div className="desk-none">
    <p role="alert" className="desk-empty">
      资金工作台只有您可以审核的订单。{NEEDED}
    </p>
  </div>
);

/** How many orders wait of the kinds that may be decided. */
const Counts = ({ kinds, queue }: Pick<KindsProps, 'kinds'> & { readonly queue: MoneyDesk | undefined }) => {
  const counts = { DEPOSIT: queue?.deposits, WITHDRAWAL: queue?.withdrawals };
  return kinds.map((kind, place) => (
    <Fragment key={kind}>
      {place === 0 ? '待处理' : '，'}
      {wordOf(orderKind, kind)} <strong>{counts[kind] ?? '—'}</strong> 笔
    </Fragment>
  ));
};

const LOST = '填写的内容尚未提交，离开这笔订单就会丢失。';
const OVER = '该订单正由另一名操作员处理。接手后对方不能再处理它，操作会记入操作日志。';

/** The money desk: orders one after the other, each on one desk only, decided by keys. */
export function MoneyDeskScreen() {
  const screen = useRef<HTMLDivElement>(null);
  const { read, kinds, kind, setKind, current, busy: isMoving, ...desk } = useDesk();
  const { data: queue, error } = read;
  const [hold, setHold] = useState<Hold>(null);
  const busy = isMoving || hold === 'sent';
  /** What leaves the order on the desk asks first where something is typed that would be lost with it; one being decided stays. */
  const leaving = (act: () => unknown, word: string) => () => {
    if (hold === 'sent') return;
    if (hold === null || !current) return void act();
    const title = `离开${orderName(current)}`;
    openDialog(<AskFirst {...{ title, text: LOST, word }} onYes={() => void act()} />);
  };
  const next = leaving(desk.next, '放弃并领取下一笔');
  const putBack = leaving(desk.putBack, '放弃并放回');
  const isFree = !busy && hold === null;
  const hasKinds = kinds.length > 0;
  useKeys(screen, { n: isFree && hasKinds ? next : undefined, u: current && isFree ? putBack : undefined });

  const take = (key: OrderKey, over: boolean) => {
    if (hold === 'sent') return;
    const taken = () => void desk.take(key, over);
    const title = `接手${orderName(key)}`;
    const text = hold ? OVER + LOST : OVER;
    if (over) openDialog(<AskFirst {...{ title, text }} word="接手" onYes={taken} />);
    else leaving(taken, '放弃并领取')();
  };
  if (kinds.length === 0 && !current) return <Undecided />;
  return (
    <div ref={screen} className="desk">
      <header className="desk-head">
        <Kinds kinds={kinds} kind={kind} onChoose={setKind} />
        <UpToDate error={error}>
          <Counts kinds={kinds} queue={queue} />
        </UpToDate>
        <div className="desk-keys">
          <Button tone="primary" aria-disabled={busy || !hasKinds} onClick={() => hasKinds && next()}>
            {current ? '下一笔（N）' : '领取下一笔（N）'}
          </Button>
          {current && (
            <Button aria-disabled={busy} onClick={putBack}>
              放回（U）
            </Button>
          )}
        </div>
      </header>
      <section aria-label="队列" className="desk-queue">
        {queue && <Queue desk={queue} current={current} busy={busy} onTake={take} />}
      </section>
      <section aria-label="当前订单" className="desk-current">
        {current ? (
          <OnDesk
            key={`${current.kind} ${current.id}`}
            current={current}
            desk={screen}
            onHold={setHold}
            onDone={(submitted) => void (submitted ? desk.next() : desk.decided())}
          />
        ) : (
          <p className="desk-empty">按 N 领取最急的一笔订单，或从队列中选择</p>
        )}
      </section>
    </div>
  );
}
