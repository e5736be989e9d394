/** The draw an address is asked for. */
export interface DueDraw {
  /** Null when the game has no plan to name. */
  readonly phase: string | null;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly date: string;
}

const PLACEHOLDER = /\{([A-Za-z]+)(?::([^{}]*))?\}/g;
const DATE_FORMAT = /^(?:yyyy|yy|MM|dd|[-/_.])+$/;
const ISO_DATE = 'yyyy-MM-dd';

/** What is wrong with the placeholders of an address, in Chinese; nothing when they can all be filled. */
export function placeholderMistake(url: string): string | undefined {
  if (/^[a-z]+:\/\/[^/?#]*\{/i.test(url)) return '占位符只能出现在主机名之后';
  for (const [whole, name, format] of url.matchAll(PLACEHOLDER)) {
    if (name === 'phase' && format === undefined) continue;
    if (name === 'date' && DATE_FORMAT.test(format ?? ISO_DATE)) continue;
    return `无法识别的占位符 ${whole}：可用 {date}、{phase}，日期格式如 {date:yyyyMMdd}`;
  }
  return undefined;
}

const dateAs = (date: string, format: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  const parts: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(2), MM: month, dd: day };
  return format.replace(/yyyy|yy|MM|dd/g, (part) => parts[part] ?? part);
};

/** The address to be fetched for a draw; nothing when it wants a phase and there is none. */
export function addressFor(url: string, { phase, date }: DueDraw): string | undefined {
  if (phase === null && url.includes('{phase}')) return undefined;
  return url.replace(PLACEHOLDER, (whole, name: string, format: string | undefined) => {
    if (name === 'phase' && format === undefined) return encodeURIComponent(phase ?? '');
    if (name === 'date' && DATE_FORMAT.test(format ?? ISO_DATE)) return dateAs(date, format ?? ISO_DATE);
    return whole;
  });
}

/** What an address is told from others by: http and https, a port that goes without saying and a fragment are no other place. */
export function addressKey(url: string): string {
  const { host, pathname, search } = new URL(url);
  return host.replace(/:(80|443)$/, '') + pathname + search;
}
