const MOST = 20;
const LONGEST = 2_000;

/** What belongs to the connection or is decided by the collector itself. */
const reserved = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

/** Headers by their names in lower case, from lines of `name: value`. What `headersMistake` finds no fault with. */
export function headersOf(text: string | null): Readonly<Record<string, string>> {
  const entries = linesOf(text ?? '').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function lineMistake(line: string): string | undefined {
  const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:(.*)$/.exec(line) ?? [];
  if (name === '') return `“${line.slice(0, 30)}”不是“名称: 值”的形式`;
  if (reserved.has(name.toLowerCase()) || /^(proxy|sec)-/i.test(name)) return `不能设置请求头 ${name}`;
  if (value.trim() === '') return `请求头 ${name} 没有值`;
  // What HTTP can carry as it is; other text is written in percent form by whoever asks for it.
  if (!/^[\t\x20-\x7e]*$/.test(value)) return `请求头 ${name} 的值只能是可见的 ASCII 字符`;
  return undefined;
}

/** What is wrong with lines of headers, in Chinese; nothing when they can be sent. */
export function headersMistake(text: string): string | undefined {
  const lines = linesOf(text);
  if (lines.length > MOST) return `请求头不能超过 ${MOST} 行`;
  if (text.length > LONGEST) return `请求头不能超过 ${LONGEST} 个字符`;
  const names = lines.map((line) =>
    line
      .slice(0, Math.max(0, line.indexOf(':')))
      .trim()
      .toLowerCase(),
  );
  const twice = names.find((name, place) => name !== '' && names.indexOf(name) !== place);
  return lines.map(lineMistake).find(Boolean) ?? (twice && `请求头 ${twice} 出现了两次`);
}
