const DEFAULT_ZONE = 'Asia/Shanghai';

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

/** The zone in which the platform counts its days, as the page names it. The browser's own zone never matters. */
export function platformZone(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="time-zone"]')?.content ?? '';
  return isZone(named) ? named : DEFAULT_ZONE;
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
