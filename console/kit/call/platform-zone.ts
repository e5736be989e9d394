const DEFAULT_ZONE = 'Asia/Shanghai';

/**
 * The zone in which the platform counts its days, as the page names it. The browser's own zone never matters. The server tried the name when
 * it started; trying it here too takes longer than drawing a list.
 */
export function platformZone(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="time-zone"]')?.content ?? '';
  // A page that no server has filled in only says where the name belongs.
  return named === '' || named.startsWith('__') ? DEFAULT_ZONE : named;
}

/** A moment as the platform's wall clock shows it, `YYYY-MM-DD HH:mm:ss`. */
export function wallClock(moment: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  } as const).formatToParts(moment);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '00';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')}`;
}
