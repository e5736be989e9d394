const units = [
  [86_400, '天'],
  [3_600, '小时'],
  [60, '分钟'],
  [1, '秒'],
] as const;

/** How long something has waited: 2 小时 5 分钟. Seconds count in the first minute only. */
export function ageOf(seconds: number): string {
  const first = units.findIndex(([size]) => seconds >= size);
  if (first === -1) return '刚刚';
  const told = units.slice(first, first + 2).filter(([size]) => size > 1 || seconds < 60);
  let rest = seconds;
  const parts = told.map(([size, word]) => {
    const n = Math.floor(rest / size);
    rest -= n * size;
    return n > 0 ? `${n} ${word}` : '';
  });
  return parts.filter(Boolean).join(' ');
}

export interface Change {
  readonly text: string;
  readonly direction: 'up' | 'down' | 'same';
}

/** A figure against an earlier one, in per cent of it; for reading only, money is never computed here. */
export function changeOf(now: number, before: number): Change {
  if (now === before) return { text: '持平', direction: 'same' };
  const direction = now > before ? 'up' : 'down';
  if (before === 0) return { text: '（上期为 0）', direction: 'same' };
  const percent = Math.abs(((now - before) / Math.abs(before)) * 100);
  const shown = percent >= 1000 ? '超过 10 倍' : `${percent.toFixed(1)}%`;
  return { text: `${direction === 'up' ? '↑' : '↓'} ${shown}`, direction };
}
