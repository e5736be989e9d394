import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSource } from '#server/features/spiders/read-source.ts';
import { fetchBody } from '#server/outbound/fetch-body.ts';

const SIZE = 1_048_576;
const LONGEST_HOLD_MS = 50;

const filled = (start: string, part: string, between: string, end: string) => {
  const parts = Math.floor((SIZE - start.length - end.length) / (part.length + between.length));
  return start + Array(parts).fill(part).join(between) + end;
};
const half = SIZE / 2 - 20;
const bodies: Readonly<Record<string, string>> = {
  'deep arrays': `{"data":${'['.repeat(half)}${']'.repeat(half)}}`,
  'deep objects': `{"data":${'{"a":'.repeat(SIZE / 7)}1${'}'.repeat(SIZE / 7)}}`,
  '90 levels, again and again': filled('{"data":[', `${'['.repeat(90)}${']'.repeat(90)}`, ',', ']}'),
  'one huge array': filled('{"data":[', '1', ',', ']}'),
  'many small arrays': filled('{"data":[', '[1]', ',', ']}'),
  'as many values as are read': `{"data":[${Array(49_000).fill('[1,[2]]').join(',')}]}`.padEnd(SIZE),
  'rows of draws': filled('{"data":[', '{"issue":1,"code":"1,2","time":"2020-01-01 00:00:00"}', ',', ']}'),
  'one long text': `{"data":[{"issue":"7","time":"2020-01-01","code":"${'a'.repeat(SIZE - 100)}"}]}`,
  'one long result': `{"data":[{"issue":"7","time":"2020-01-01","code":"${'1,'.repeat(SIZE / 2 - 50)}1"}]}`,
  'many keys': `{"data":{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}}`.padEnd(SIZE),
  'bytes of no charset': '\xff\xfe\xfd'.repeat(SIZE / 3),
};
const queries = [
  '$..*',
  '$..*..*',
  '$..[?@..*]',
  '$..[?@..[?@..*]]',
  '$.data[?count($..*) < 0]',
  "$.data[?match(@.code, '(a|a)*b') || search(@.code, '(a+)+b')]",
  '$.data[*]',
];
const plain = { list: '$.data[*]', phase: '$.issue', result: '$.code', openTime: '$.time' };
const mappings = Object.keys(plain).flatMap((name) => queries.map((query) => ({ ...plain, [name]: query })));

let source: Server;
let url: string;
let body = '';
beforeAll(async () => {
  source = createServer((_request, response) => response.end(Buffer.from(body, 'latin1')));
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
});
afterAll(() => source.close());

const EVERY_MS = 5;

interface Hold {
  /** Between two turns of the event loop. */
  readonly wall: number;
  /** Of that what this thread was computing: on a busy machine the rest is others' turn. */
  readonly own: number;
}

/** Runs it and tells the longest hold of the event loop meanwhile. */
async function longestHold(act: () => Promise<unknown>): Promise<Hold> {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest: Hold = { wall: 0, own: 0 };
  let before = { at: performance.now(), cpu: cpu() };
  const look = () => {
    const now = { at: performance.now(), cpu: cpu() };
    const hold = { wall: now.at - before.at - EVERY_MS, own: now.cpu - before.cpu };
    longest = { wall: Math.max(longest.wall, hold.wall), own: Math.max(longest.own, hold.own) };
    before = now;
  };
  const timer = setInterval(look, EVERY_MS);
  await act();
  clearInterval(timer);
  look();
  return longest;
}

it('no body of 1 MB and no mapping holds the server up for more than 50 ms', async () => {
  const allowedHosts = [new URL(url).host];
  const timeZone = 'Asia/Shanghai';
  const read = async (collector: string, options: string | null) => {
    const { contentType, body: bytes } = await fetchBody(url, { allowedHosts });
    return readSource({ collector, contentType, body: bytes, options, timeZone });
  };
  // The thread starts once, which is not the body's doing.
  await read('JsonPathSpider', JSON.stringify(plain)).catch(() => undefined);
  // What the machine takes from a thread that does nothing: no body is to blame for that.
  const idle = await longestHold(() => sleep(5_000));
  const readings = [
    ...mappings.map((mapping) => ['JsonPathSpider', JSON.stringify(mapping)] as const),
    ...['WelfareLotterySpider', 'SportsLotterySpider', 'OpenCodeSpider', 'PreDrawSpider'].map(
      (collector) => [collector, null] as const,
    ),
    ['FiveHundredXmlSpider', null] as const,
  ];
  let longest = { wall: 0, own: 0, kind: '', options: '' };
  const walls: number[] = [];
  const ends: Record<string, number> = {};
  for (const [kind, text] of Object.entries(bodies)) {
    body = text;
    for (const [collector, options] of readings) {
      const hold = await longestHold(async () => {
        const end = await read(collector, options).then(
          (draws) => (draws.length > 0 ? '给出开奖结果' : '没有开奖结果'),
          (error: Error) => error.message.replace(/\d+ 期|期号 \S+|JSONPath \S+/, '…'),
        );
        ends[end] = (ends[end] ?? 0) + 1;
      });
      walls.push(hold.wall);
      if (hold.own > longest.own) longest = { ...hold, kind, options: options ?? collector };
    }
  }
  console.log('hostile bodies:', { bodies: Object.keys(bodies).length, readings: readings.length, ends });
  const [most = 0, second = 0, third = 0] = walls.toSorted((a, b) => b - a).map(Math.round);
  console.log(
    `the event loop was held for ${longest.own.toFixed(1)} ms of its own work at most; by the clock ${most}, ${second}, ${third} ms, of an idle one ${Math.round(idle.wall)} ms`,
    longest,
  );
  expect(longest.own).toBeLessThanOrEqual(LONGEST_HOLD_MS);
});
