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

/** A moment as the platform's wall clock shows it, `YYYY-MM-DD HH:mm:ss`: Swedish writes it so. */
export const wallClock = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
