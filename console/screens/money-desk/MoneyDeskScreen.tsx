import { useRef } from 'react';
import type { OrderKey } from '#contract/money-desk.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { UpToDate } from '../../parts/UpToDate.tsx';
import { OnDesk } from './OnDesk.tsx';
import { Queue } from './Queue.tsx';
import { TakeOver } from './TakeOver.tsx';
import { useDesk } from './use-desk.ts';
import { useKeys } from './use-keys.ts';
import './money-desk.css';

const kinds = [
  { kind: null, word: '全部' },
  { kind: 'DEPOSIT', word: '充值' },
  { kind: 'WITHDRAWAL', word: '提现' },
] as const;

/** The money desk: orders one after the other, each on one desk only, decided by keys. */
export function MoneyDeskScreen() {
  const screen = useRef<HTMLDivElement>(null);
  const { read, kind, setKind, current, busy, ...desk } = useDesk();
  const { data: queue, error } = read;
  const next = () => void desk.next();
  const putBack = () => void desk.putBack();
  useKeys(screen, { n: busy ? undefined : next, u: current && !busy ? putBack : undefined });

  const take = (key: OrderKey, over: boolean) => {
    const taken = () => void desk.take(key, over);
    if (over) openDialog(<TakeOver order={key} onYes={taken} />);
    else taken();
  };
  const counts = [queue?.deposits, queue?.withdrawals].map((count) => count ?? '—');
  return (
    <div ref={screen} className="desk">
      <header className="desk-head">
        <fieldset aria-label="订单种类" className="desk-kinds">
          {kinds.map((each) => (
            <Button
              key={each.word}
              aria-pressed={kind === each.kind}
              tone={kind === each.kind ? 'primary' : 'normal'}
              onClick={() => setKind(each.kind)}
            >
              {each.word}
            </Button>
          ))}
        </fieldset>
        <UpToDate error={error}>
          待处理充值 <strong>{counts[0]}</strong> 笔，提现 <strong>{counts[1]}</strong> 笔
        </UpToDate>
        <div className="desk-keys">
          <Button tone="primary" aria-disabled={busy} onClick={next}>
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
            onDone={(submitted) => void (submitted ? desk.next() : desk.decided())}
          />
        ) : (
          <p className="desk-empty">按 N 领取最急的一笔订单，或从队列中选择</p>
        )}
      </section>
    </div>
  );
}
