import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { readSource } from './read-source.ts';

const feed = (...phases: string[]) =>
  JSON.stringify({ data: phases.map((expect) => ({ expect, opencode: '1,2', opentime: '2020-01-01' })) });

const read = (body: string, options: string | null = null, collector = 'OpenCodeSpider') =>
  readSource({ collector, contentType: '', body: Buffer.from(body), options, timeZone: 'Asia/Shanghai' });

const mapped = (body: string, mapping: object) =>
  read(
    body,
    JSON.stringify({ list: '$', phase: '$.x', result: '$.y', openTime: '$.z', ...mapping }),
    'JsonPathSpider',
  );

describe('a body read in a thread of its own', () => {
  it('gives its draws, also to several who read it at once, and leaves the body as it was', async () => {
    const body = Buffer.from(feed('7', '8'));
    const reading = { collector: 'OpenCodeSpider', contentType: '', body, options: null, timeZone: 'UTC' };
    const draws = await Promise.all([readSource(reading), readSource(reading)]);
    for (const each of draws) expect(each.map(({ phase }) => phase)).toEqual(['7', '8']);
    expect(body.toString()).toBe(feed('7', '8'));
  });

  it.each([
    ['nonsense', '来源返回的不是有效的 JSON'],
    [feed(...Array.from({ length: 3_001 }, (_, n) => String(n))), '一次给出的开奖结果超过 3000 期'],
    [
      JSON.stringify({ data: { expect: '7', opencode: `${'1,'.repeat(300)}1` } }),
      '期号 7 的开奖结果超过 500 个字符',
    ],
  ])('says what is wrong with %.20s', (body, sentence) => expect(read(body)).rejects.toThrow(sentence));

  it('says what is wrong with a mapping that was taken before', () =>
    expect(mapped('{}', { result: '$[no,sno]' })).rejects.toThrow(
      '采集选项的 result（开奖结果）不是有效的 JSONPath（RFC 9535）：从“no,sno]”起无法识别',
    ));

  it('is given up after two seconds, holds the server up for none of them, and the next one is read', async () => {
    // A pattern that is tried in every way there is, for a text that it does not fit: one look at a value, and no end of steps.
    const body = JSON.stringify({ data: [`${'a'.repeat(100)}b`] });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    await readSource({
      collector: 'OpenCodeSpider',
      contentType: '',
      body: Buffer.from(feed('1')),
      options: null,
      timeZone: 'UTC',
    });
    delay.enable();
    await expect(mapped(body, { list: "$.data[?match(@, '(a|aa)+')]" })).rejects.toThrow(
      '来源的内容在 2 秒内没有读完',
    );
    delay.disable();
    // Two seconds of it here would be seen at once; the bound itself is measured where the machine is quiet.
    expect(delay.max / 1e6).toBeLessThan(1_000);
    expect(await read(feed('9'))).toHaveLength(1);
  });
});
