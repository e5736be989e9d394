import { useEffect } from 'react';
import { dismissToast, notices, type Toast } from '../call/notices.ts';
import { useStore } from '../call/store.ts';
import './notices.css';

const locks = new Set(['Enter', ' ']);

/** Whether a key writes rather than presses: a space in a text, and all keys in the finder, which leads away and decides nothing. */
function isWriting({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const writes = target.matches(
    'textarea, input:not([type=checkbox], [type=radio], [type=button], [type=file])',
  );
  return (key === ' ' && writes) || target.closest('[data-unlocked]') !== null;
}

/** While the screen is locked, keys press no more than the mouse does; what somebody writes meanwhile is not lost. */
function refuseKey(event: KeyboardEvent): void {
  if (!locks.has(event.key) || isWriting(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The toasts and the loading overlay; stands once, at the root. */
export function Notices() {
  const { toasts, loading } = useStore(notices);
  const locked = loading > 0;

  useEffect(() => {
    if (!locked) return;
    window.addEventListener('keydown', refuseKey, true);
    return () => window.removeEventListener('keydown', refuseKey, true);
  }, [locked]);

  return (
    <>
      <div className={locked ? 'loading loading-on' : 'loading'} role="status" aria-hidden={!locked}>
        <span className="loading-ring" />
        <span>努力加载中...</span>
      </div>
      <div className="toasts">
        {/* Screen readers tell of what comes into a region that was there before. */}
        <div role="status" aria-atomic="false">
          {toasts.filter(({ tone }) => tone === 'success').map(toastLine)}
        </div>
        {toasts.filter(({ tone }) => tone !== 'success').map(toastLine)}
      </div>
    </>
  );
}

/** Goes by itself: a click is for the mouse that it is in the way of, and is no button by the name of what was done. */
const toastLine = ({ id, tone, text, more }: Toast) => (
  <div key={id} className="toast-line">
    {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: whoever has no mouse need not move it away */}
    <div className={`toast toast-${tone}`} title="点击关闭" onClick={() => dismissToast(id)}>
      <ToastMark tone={tone} />
      <span role={tone === 'error' ? 'alert' : undefined}>{text}</span>
    </div>
    {more && (
      <a className="toast toast-more" href={more.href}>
        {more.text}
      </a>
    )}
  </div>
);

function ToastMark({ tone }: Pick<Toast, 'tone'>) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="8" cy="8" r="8" fill="currentColor" />
      <path
        d={tone === 'success' ? 'm4.5 8.2 2.4 2.4 4.6-4.9' : 'm5.4 5.4 5.2 5.2m0-5.2-5.2 5.2'}
        stroke="var(--raised)"
        strokeWidth="1.7"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  );
}
