import { type FormEvent, useId, useState } from 'react';
import { countText } from '../form/money.ts';
import { PAGE_SIZES } from './address.ts';
import { pageNumbers } from './page-numbers.ts';
import './pager.css';

interface PagerProps {
  readonly page: number;
  readonly size: number;
  /** Null until the list was read. */
  readonly total: number | null;
  readonly onTurn: (page: number, size: number) => void;
  /** What the rows are of. */
  readonly of?: string;
}

/** Previous, pages, next, jumper, sizes, total. */
export function Pager({ page, size, total, onTurn, of }: PagerProps) {
  const last = Math.max(1, Math.ceil((total ?? 0) / size));
  const turn = (to: number) => onTurn(Math.min(Math.max(to, 1), last), size);
  return (
    <nav className="pager" aria-label="分页">
      <Step label="上一页" to={page - 1} last={last} onTurn={turn} path="M8 2.5 4.5 6 8 9.5" />
      {pageNumbers(page, last).map((one, place) =>
        one === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap is nothing but its place
          <span key={`gap${place}`} className="pager-gap" aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={one}
            type="button"
            className="pager-page"
            aria-label={`第 ${one} 页`}
            aria-current={one === page ? 'page' : undefined}
            onClick={() => turn(one)}
          >
            {one}
          </button>
        ),
      )}
      <Step label="下一页" to={page + 1} last={last} onTurn={turn} path="M4.5 2.5 8 6 4.5 9.5" />
      <Jumper onJump={turn} />
      <select
        className="input pager-sizes"
        aria-label="每页条数"
        value={size}
        onChange={(event) => onTurn(1, Number(event.target.value))}
      >
        {PAGE_SIZES.map((one) => (
          <option key={one} value={one}>
            {one} 条/页
          </option>
        ))}
      </select>
      {/* What a search or another page came to is told to whoever does not see it, also where it came to as many as before. */}
      <span className="pager-total" role="status">
        {total !== null && (
          <span key={of}>
            <span className="for-readers">第 {page} 页，</span>
            <span>共 {countText(total)} 条</span>
          </span>
        )}
      </span>
    </nav>
  );
}

interface StepProps {
  readonly label: string;
  readonly to: number;
  readonly last: number;
  readonly onTurn: (page: number) => void;
  readonly path: string;
}

/** Where there is no such page it stays where the keyboard is, which a disabled button would lose, and leads nowhere. */
function Step({ label, to, last, onTurn, path }: StepProps) {
  const leads = to >= 1 && to <= last;
  return (
    <button
      type="button"
      className="pager-page"
      aria-label={label}
      title={label}
      aria-disabled={!leads}
      onClick={() => leads && onTurn(to)}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={path} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </button>
  );
}

function Jumper({ onJump }: { readonly onJump: (page: number) => void }) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const jump = (event: FormEvent) => {
    event.preventDefault();
    setTyped('');
    if (/^\d{1,9}$/.test(typed.trim())) onJump(Number(typed));
  };
  return (
    <form className="pager-jumper" onSubmit={jump}>
      <label htmlFor={id}>跳至</label>
      <input
        id={id}
        className="input"
        inputMode="numeric"
        autoComplete="off"
        aria-label="跳至页码"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      页
    </form>
  );
}
