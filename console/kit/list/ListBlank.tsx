import type { CallFailed } from '../call/call-failed.ts';
import { NotLoaded } from '../overlay/NotLoaded.tsx';

interface ListBlankProps {
  readonly waiting: boolean;
  readonly failure: CallFailed | null;
  readonly filtered: boolean;
  /** A range of the search lacks an end, so nothing was asked. */
  readonly lacking: boolean;
  readonly onRetry: () => void;
}

/** Whether a list was refused for what it was searched by, which asking again does not change. */
const isOfSearch = ({ fieldErrors }: CallFailed): boolean => Object.keys(fieldErrors).length > 0;

function wordsOf(why: {
  readonly lacking: boolean;
  readonly filtered: boolean;
  readonly isRefused: boolean;
}) {
  if (why.lacking) return '搜索条件不完整';
  if (why.isRefused) return '搜索条件有误，请修改后再搜索';
  return why.filtered ? '没有符合条件的记录' : '暂无数据';
}

/** What a list shows in place of rows: that it is being read, that it could not be, or that there is nothing. */
export function ListBlank({ waiting, failure, filtered, lacking, onRetry }: ListBlankProps) {
  // One that is asked for again by itself says meanwhile why.
  if (waiting && !failure) return <div className="list-blank" aria-busy="true" />;
  const isRefused = failure !== null && isOfSearch(failure);
  if (failure && !isRefused) {
    return (
      <div className="list-blank">
        <NotLoaded title="列表加载失败" text={failure.message} onRetry={onRetry} />
      </div>
    );
  }
  return (
    <div className="list-blank">
      <svg viewBox="0 0 64 48" width="80" height="60" aria-hidden="true">
        <rect x="8" y="8" width="48" height="34" rx="5" fill="var(--head)" stroke="var(--line-strong)" />
        <path
          d="M16 18h32M16 26h22M16 34h14"
          stroke="var(--line-strong)"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      <span>{wordsOf({ lacking, filtered, isRefused })}</span>
    </div>
  );
}
