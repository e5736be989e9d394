import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectorNamed, collectors } from './all.ts';

const read = (name: string, body: string, options: string | null = null) =>
  collectorNamed(name)?.read(body, { options, timeZone: 'Asia/Shanghai' }) ?? [];
const china = (text: string) => Date.parse(`${text.replace(' ', 'T')}+08:00`) / 1000;

describe('what sources send', () => {
  it('welfare lottery: red, then blue; a date with its weekday', () => {
    const body = JSON.stringify({
      state: 0,
      result: [
        { code: '2026008', date: '2026-01-18(日)', red: '06,09,16,27,31,33', blue: '10', blue2: '' },
        { code: '2026009', date: '2026-01-20(二)', red: null, blue: '' },
        null,
        { code: '2026030', date: '2026-01-30(五)', red: '02,08,12', blue: '' },
      ],
    });
    expect(read('WelfareLotterySpider', body)).toEqual([
      {
        phase: '2026008',
        result: '06,09,16,27,31,33,10',
        openTime: china('2026-01-18 00:00:00'),
        dayEnd: china('2026-01-18 23:59:59'),
      },
      {
        phase: '2026030',
        result: '02,08,12',
        openTime: china('2026-01-30 00:00:00'),
        dayEnd: china('2026-01-30 23:59:59'),
      },
    ]);
  });

  it('a phase that is a number beyond what JavaScript holds stays what was written', () => {
    const body =
      '{"data":[{"expect":20260118000000011,"opencode":"1,2"},{"expect":20260118000000012,"opencode":"3,4"}]}';
    expect(read('OpenCodeSpider', body).map(({ phase }) => phase)).toEqual([
      ...['20260118000000011', '20260118000000012'],
    ]);
    const paths = { list: '$.data[*]', phase: '$.expect', result: '$.opencode' };
    expect(read('JsonPathSpider', body, JSON.stringify(paths))[0]?.phase).toBe('20260118000000011');
  });

  it('sports lottery: numbers between spaces, and the last draw alone', () => {
    const row = {
      lotteryDrawNum: '23075',
      lotteryDrawResult: '07 17 20 23 32 05 11',
      lotteryDrawTime: '2023-07-03',
    };
    const wanted = [
      {
        phase: '23075',
        result: '07,17,20,23,32,05,11',
        openTime: china('2023-07-03 00:00:00'),
        dayEnd: china('2023-07-03 23:59:59'),
      },
    ];
    expect(read('SportsLotterySpider', JSON.stringify({ value: { list: [row] } }))).toEqual(wanted);
    expect(read('SportsLotterySpider', JSON.stringify({ value: { list: [], lastPoolDraw: row } }))).toEqual(
      wanted,
    );
  });

  it('draw feeds: whatever separator, times as text, seconds or milliseconds, an object where an array was due', () => {
    const rows = [
      { expect: '661447', opencode: '05,06,08', opentime: '2018-01-13 15:22:20', opentimestamp: 1515828140 },
      { expect: 661446, opencode: '01,04,06+07', opentime: '2018/1/13 15:17' },
      { expect: '第661445期', opencode: '７，３｜8', opentime: '1515827540000' },
      { expect: '', opencode: '1,2,3', opentime: '' },
      { expect: '661444', opencode: '', opentime: null },
      { expect: '661443', opencode: '?,?,?', opentime: null },
    ];
    const wanted = [
      { phase: '661447', result: '05,06,08', openTime: 1515828140 },
      { phase: '661446', result: '01,04,06,07', openTime: china('2018-01-13 15:17:00') },
      { phase: '661445', result: '7,3,8', openTime: 1515827540 },
    ];
    expect(read('OpenCodeSpider', JSON.stringify({ rows: 6, data: rows }))).toEqual(wanted);
    expect(read('OpenCodeSpider', `\uFEFF${JSON.stringify({ data: rows[0] })}\r\n`)).toEqual(
      wanted.slice(0, 1),
    );
    expect(
      read('OpenCodeSpider', `callback(${JSON.stringify({ data: { a: rows[0], b: rows[1] } })});`),
    ).toEqual(wanted.slice(0, 2));
    expect(read('OpenCodeSpider', '{"data": null}')).toEqual([]);
    expect(read('OpenCodeSpider', '[]')).toEqual([]);
  });

  it('the 168 family: one object or a list, the phase a number', () => {
    const row = {
      preDrawIssue: 926697,
      preDrawCode: '05,06,10',
      preDrawTime: '2018-12-17 17:20:00',
      drawIssue: 926698,
    };
    const wanted = [{ phase: '926697', result: '05,06,10', openTime: china('2018-12-17 17:20:00') }];
    expect(read('PreDrawSpider', JSON.stringify({ result: { data: row } }))).toEqual(wanted);
    expect(read('PreDrawSpider', JSON.stringify({ result: { data: [row] } }))).toEqual(wanted);
  });

  it('500.com: attributes of rows', () => {
    const rows =
      '<row expect="879068" opencode="60,06,50" opencode_specail="03" opentime="2018-03-26 16:00:00"/>';
    const wanted = [{ phase: '879068', result: '60,06,50', openTime: china('2018-03-26 16:00:00') }];
    expect(read('FiveHundredXmlSpider', `<?xml version="1.0" encoding="gb2312"?><xml>${rows}</xml>`)).toEqual(
      wanted,
    );
    expect(() => read('FiveHundredXmlSpider', '<!DOCTYPE html><html></html>')).toThrow('不是 XML');
    expect(() => read('FiveHundredXmlSpider', '{}')).toThrow('不是 XML');
  });

  it('any JSON by a mapping', () => {
    const options = JSON.stringify({
      list: '$.a.b[*]',
      phase: '$.x',
      result: "$['no','sno']",
      openTime: '$.z',
    });
    const body = JSON.stringify({ a: { b: [{ x: '25/134', no: '7+10+11', sno: 45, z: '28/12/2025' }] } });
    expect(read('JsonPathSpider', body, options)).toEqual([
      {
        phase: '25/134',
        result: '7,10,11,45',
        openTime: china('2025-12-28 00:00:00'),
        dayEnd: china('2025-12-28 23:59:59'),
      },
    ]);
  });

  it.each([
    ["$[?(@.code=='ssq')].draws[*]", "$['expect','issue']", "$['red','blue']"],
    ["$[?@.code=='ssq'].draws[0:5]", '$.expect', "$['red','blue']"],
    ['$..draws[*]', '$..expect', '$.red'],
    ["$[?match(@.code, 's.q')].draws[?@.red]", '$["expect"]', "$['red','blue'][*]"],
  ])('any JSON by RFC 9535: %s', (list, phase, result) => {
    const draws = [{ expect: '2026008', red: ['06', '09'], blue: '10' }];
    const body = JSON.stringify([
      { code: 'dlt', draws: 'none' },
      { code: 'ssq', draws },
    ]);
    const [draw] = read('JsonPathSpider', body, JSON.stringify({ list, phase, result }));
    expect(draw).toMatchObject({ phase: '2026008', result: expect.stringMatching(/^06,09(,10)?$/) });
  });

  it.each([
    [null, 'JSONPath（RFC 9535）'],
    ['{}', 'JSONPath（RFC 9535）'],
    ['x', 'JSONPath（RFC 9535）'],
    [{ list: '$~' }, '采集选项的 list（开奖列表）不是有效的 JSONPath（RFC 9535）：从“~”起无法识别'],
    [{ phase: '$^' }, '采集选项的 phase（期号）不是有效的 JSONPath（RFC 9535）：从“^”起无法识别'],
    [
      { result: '$[no,sno]' },
      '采集选项的 result（开奖结果）不是有效的 JSONPath（RFC 9535）：从“no,sno]”起无法识别',
    ],
    [{ openTime: '$.' }, '采集选项的 openTime（开奖时间）不是有效的 JSONPath（RFC 9535）：“$.”没有写完'],
    [{ phase: 'expect' }, '采集选项的 phase（期号）不是有效的 JSONPath（RFC 9535）：须以 $ 开头'],
    [{ list: '$[?(@.a.match(/x/))]' }, '采集选项的 list（开奖列表）不是有效的 JSONPath（RFC 9535）：从“'],
    [{ list: `$${'.a'.repeat(100)}` }, '不超过 200 个字符'],
  ])('a mapping %j is refused at its field', (options, sentence) => {
    const whole = { list: '$', phase: '$', result: '$', openTime: '$' };
    const text = typeof options === 'object' && options ? JSON.stringify({ ...whole, ...options }) : options;
    const check = () => collectorNamed('JsonPathSpider')?.checkOptions?.(text);
    expect(check).toThrow(
      expect.objectContaining({ errors: { options: expect.stringContaining(sentence) } }),
    );
  });

  it('a mapping of a body too deep, too large or with times of no calendar', () => {
    const options = JSON.stringify({ list: '$..*', phase: '$.x', result: '$.y', openTime: '$.z' });
    expect(() => read('JsonPathSpider', '['.repeat(500_000) + ']'.repeat(500_000), options)).toThrow(
      '嵌套超过 100 层',
    );
    expect(() => read('JsonPathSpider', `[${Array(200_000).fill('1').join()}]`, options)).toThrow(
      '200000 个值',
    );
    expect(() => read('JsonPathSpider', `[${Array(20_000).fill('1').join()}]`, options)).toThrow(
      '选中的值超过',
    );
    const deep = `${'['.repeat(99)}{"x": 1, "y": "2", "z": "2025-13-45"}${']'.repeat(99)}`;
    expect(read('JsonPathSpider', deep, options)).toEqual([{ phase: '1', result: '2', openTime: null }]);
  });

  it.each(['$[?$..x]', '$[?count($..*) > 0]', '$..[?$..[?$..x]]'])(
    'a mapping that looks through a small body again and again, before it takes long: %s',
    (list) => {
      const options = JSON.stringify({ list, phase: '$.a', result: '$.b' });
      const body = JSON.stringify(Array.from({ length: 3_000 }, (_, n) => ({ a: n, b: '1,2,3' })));
      const began = performance.now();
      expect(() => read('JsonPathSpider', body, options)).toThrow('要查看超过 500000 处，请写得更具体');
      // What it stops would take minutes; a busy machine may take a while for what it allows.
      expect(performance.now() - began).toBeLessThan(15_000);
    },
  );

  it('a mapping of as many rows as are taken, each looked at a few times', () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => ({
      code: 'ssq',
      n,
      balls: ['1', '2', '3', '4', '5'],
    }));
    const options = { list: "$..[?@.code=='ssq']", phase: '$.n', result: '$.balls[*]' };
    const drawn = read('JsonPathSpider', JSON.stringify({ data: { rows } }), JSON.stringify(options));
    expect(drawn).toHaveLength(3_000);
    expect(drawn[7]).toMatchObject({ phase: '7', result: '1,2,3,4,5' });
  });

  it.each([
    ['WelfareLotterySpider', { result: { code: '2026008', red: '06,09', date: '2026-01-18(日)' } }],
    [
      'SportsLotterySpider',
      {
        value: {
          list: { lotteryDrawNum: '2026008', lotteryDrawResult: '06 09', lotteryDrawTime: '2026-01-18' },
        },
      },
    ],
    ['OpenCodeSpider', { data: { expect: '2026008', opencode: '06|09', opentime: '2026-01-18' } }],
    ['PreDrawSpider', { data: { preDrawIssue: 2026008, preDrawCode: '06;09', preDrawTime: '2026-01-18' } }],
  ])('%s reads one object where a list was due', (name, body) => {
    const draw = {
      phase: '2026008',
      result: '06,09',
      openTime: china('2026-01-18 00:00:00'),
      dayEnd: china('2026-01-18 23:59:59'),
    };
    expect(read(name, JSON.stringify(body))).toEqual([draw]);
  });

  it.each([
    ['calendar and clock', '2018-01-13 15:22:20'],
    ['slashes, no zeros', '2018/1/13 15:22:20'],
    ['Chinese', '2018年01月13日 15:22:20'],
    ['ISO with a zone', '2018-01-13T07:22:20Z'],
    ['full width', '２０１８-０１-１３ １５：２２：２０'],
    ['seconds', 1515828140],
    ['seconds as text', '1515828140'],
    ['milliseconds', 1515828140000],
    ['milliseconds as text', '1515828140000'],
  ])('a time as %s', (_what, opentime) => {
    const body = JSON.stringify({ data: [{ expect: '661447', opencode: '05,06', opentime }] });
    expect(read('OpenCodeSpider', body)[0]?.openTime).toBe(1515828140);
  });

  it.each([
    ['a day no month has', '2026-02-30 20:00:00', '2026-02-28 20:00:00'],
    ['a 29th of February without a leap year', '2026/2/29', '2028/2/29'],
    ['the same in Chinese', '2026年04月31日 20:00:00', '2026年04月30日 20:00:00'],
    ['with a zone', '2026-02-30T20:00:00Z', '2026-02-28T20:00:00Z'],
    ['an hour no day has', '2026-02-28 24:00:00', '2026-02-28 23:59:59'],
  ])('%s is no time, whichever collector reads it', (_what, impossible, possible) => {
    const paths = '{"list":"$.data[*]","phase":"$.expect","result":"$.opencode","openTime":"$.opentime"}';
    for (const [opentime, wanted] of [
      [impossible, null],
      [possible, expect.any(Number)],
    ]) {
      const row = { expect: '1', opencode: '5,6', opentime };
      const feed = JSON.stringify({ data: [row] });
      const notice = { result: [{ code: '1', red: '5,6', date: opentime }] };
      const list = [{ lotteryDrawNum: '1', lotteryDrawResult: '5 6', lotteryDrawTime: opentime }];
      const family = { result: { data: { preDrawIssue: '1', preDrawCode: '5,6', preDrawTime: opentime } } };
      const draws = [
        read('OpenCodeSpider', feed),
        read('JsonPathSpider', feed, paths),
        read('FiveHundredXmlSpider', `<xml><row expect="1" opencode="5,6" opentime="${opentime}"/></xml>`),
        read('WelfareLotterySpider', JSON.stringify(notice)),
        read('SportsLotterySpider', JSON.stringify({ value: { list } })),
        read('PreDrawSpider', JSON.stringify(family)),
      ];
      expect(draws.map(([draw]) => draw?.openTime)).toEqual(draws.map(() => wanted));
    }
  });

  it.each([
    '05,06,08',
    '05 06 08',
    '05+06+08',
    '05|06|08',
    '05;06;08',
    '05:06:08',
    '05、06，08',
    ' 05 ,06,  08  ',
  ])('numbers between other separators: %s', (opencode) => {
    const body = JSON.stringify({ data: [{ expect: '661447', opencode, opentime: 1515828140 }] });
    expect(read('OpenCodeSpider', body)[0]?.result).toBe('05,06,08');
  });

  it.each([
    '8,,2,2,1',
    '0,7,,,',
    ',8,2',
    '05,06,08,',
    '1 2 3 +',
    '+',
    '8,?,2',
    '8, ,2',
    '8|2||1',
    '８，，２',
  ])('an empty place means that it is not drawn yet: %s', (opencode) => {
    const rows = [
      { expect: '2', opencode, opentime: 1515828140 },
      { expect: '1', opencode: '8,0,2', opentime: 1515828000 },
    ];
    expect(read('OpenCodeSpider', JSON.stringify({ data: rows })).map(({ phase }) => phase)).toEqual(['1']);
    const xml = `<xml><row expect="2" opencode="${opencode}"/><row expect="1" opencode="8,0,2"/></xml>`;
    expect(read('FiveHundredXmlSpider', xml).map(({ phase }) => phase)).toEqual(['1']);
    const sports = { value: { list: [{ lotteryDrawNum: '2', lotteryDrawResult: opencode }] } };
    expect(read('SportsLotterySpider', JSON.stringify(sports))).toEqual([]);
    const preDraw = { result: { data: [{ preDrawIssue: 2, preDrawCode: opencode }] } };
    expect(read('PreDrawSpider', JSON.stringify(preDraw))).toEqual([]);
  });

  it('an empty place means so in a list of numbers, in one of several parts, and in the ball that comes last', () => {
    const options = JSON.stringify({ list: '$[*]', phase: '$.id', result: '$.balls.*' });
    const rows = [
      { id: '1', balls: { no: [7, 8], sno: '9' } },
      { id: '2', balls: { no: [7, null], sno: '9' } },
      { id: '3', balls: { no: '7+8', sno: '' } },
      { id: '4', balls: { no: '7+8', sno: null } },
      { id: '5', balls: { no: ['', ''], sno: '9' } },
    ];
    expect(read('JsonPathSpider', JSON.stringify(rows), options).map(({ phase }) => phase)).toEqual(['1']);
    const welfare = (name: string, blue: unknown) =>
      read(
        'WelfareLotterySpider',
        JSON.stringify({
          result: [{ name, code: '2026008', date: '2026-01-18', red: '06,09,16', blue, blue2: '' }],
        }),
      ).map(({ result }) => result);
    expect(welfare('双色球', '10')).toEqual(['06,09,16,10']);
    for (const blue of ['', null, undefined])
      for (const name of ['双色球', '七乐彩']) expect(welfare(name, blue)).toEqual([]);
    for (const name of ['福彩3D', '快乐8']) expect(welfare(name, '')).toEqual(['06,09,16']);
  });

  it.each(collectors.filter(({ name }) => /Welfare|Sports|Code|Pre|Json/.test(name)))(
    '$name says so when a page came instead of JSON',
    ({ name }) => {
      const options = JSON.stringify({ list: '$', phase: '$', result: '$' });
      const page = '<html><head><title>302 Found</title></head></html>';
      expect(() => read(name, page, options)).toThrow('网页而不是 JSON（302 Found）');
      expect(() => read(name, '{"data": [', options)).toThrow('有效的 JSON');
      expect(() => read(name, '  ', options)).toThrow('空内容');
    },
  );
});

const bodies = new URL('../../../testing/sources/', import.meta.url);
const bodyOf = (file: string): string => readFileSync(new URL(file, bodies), 'utf8');

describe('bodies in the forms of their sources', () => {
  it.each([
    ['WelfareLotterySpider', 'welfare-ssq.json', 4, '2026009', '03,06,13,19,23,25,10'],
    [
      ...(['WelfareLotterySpider', 'welfare-kl8.json', 3, '2026030'] as const),
      '02,08,12,13,14,16,23,31,37,39,44,46,50,54,55,59,61,69,70,73',
    ],
    ['SportsLotterySpider', 'sports-dlt.json', 1, '23075', '07,17,20,23,32,05,11'],
    ['SportsLotterySpider', 'sports-pls.json', 1, '25200', '2,1,1'],
    ['OpenCodeSpider', 'open-code-bjpk10.json', 2, '661447', '05,06,08,09,03,10,01,02,07,04'],
    ['OpenCodeSpider', 'open-code-bjpk10-paid.json', 2, '664880', '01,06,04,07,03,05,08,10,02,09'],
    ['OpenCodeSpider', 'open-code-cqssc.json', 3, '20170501035', '7,3,8,3,5'],
    ['OpenCodeSpider', 'open-code-ssq.json', 3, '2018043', '01,04,06,08,21,24,07'],
    ['OpenCodeSpider', 'open-code-jx11x5.json', 4, '2019031708', '03,01,05,06,09'],
    [
      ...(['PreDrawSpider', 'pre-draw-bjkl8.json', 1, '926697'] as const),
      '05,06,10,12,14,15,21,24,26,28,33,40,44,56,57,61,65,67,68,80',
    ],
    [
      ...(['FiveHundredXmlSpider', 'five-hundred-kl8.xml', 2, '879068'] as const),
      '60,06,50,62,16,23,10,80,19,46,14,76,26,30,12,64,58,18,03,29',
    ],
  ])('%s reads %s', (name, file, rows, phase, first) => {
    const results = read(name, bodyOf(file));
    expect(results).toHaveLength(rows);
    expect(results[0]).toMatchObject({ phase, result: first });
    for (const { result, openTime } of results) {
      expect(result.split(',')).toHaveLength(first.split(',').length);
      expect(openTime).toBeGreaterThan(1_000_000_000);
    }
  });

  it('leaves out the 飞盘 behind the twenty numbers of 北京快乐8, and nothing of any other game', () => {
    const twenty = Array.from({ length: 20 }, (_, place) => String(place * 4 + 1).padStart(2, '0'));
    const opened = (code: string) => {
      const row = { expect: '926697', opencode: code, opentime: '2018-12-17 17:20:00' };
      return read('OpenCodeSpider', JSON.stringify({ data: [row] }))[0]?.result;
    };
    expect(opened(`${twenty.join(',')}+03`)).toBe(twenty.join(','));
    for (const numbers of [
      [...twenty, '81'],
      [...twenty.slice(0, 19), '01', '03'],
      [...twenty, '02', '03'],
      twenty,
    ])
      expect(opened(numbers.join(','))).toBe(numbers.join(','));
  });

  it('a calendar of draws holds none', () => {
    expect(read('PreDrawSpider', bodyOf('pre-draw-calendar.json'))).toEqual([]);
  });

  it('a mapping reads the nested and the foreign ones', () => {
    const options = JSON.stringify({
      list: '$.data.backData.lotteryOpen[*]',
      phase: '$.issueNo',
      result: '$.lotteryOpen',
      openTime: '$.resultDate',
    });
    expect(read('JsonPathSpider', bodyOf('nested-jsk3.json'), options)[0]).toEqual({
      phase: '20190424023',
      result: '2,5,6',
      openTime: 1_556_093_437,
    });
    const mapping = { list: '$[*]', phase: '$.id', result: "$['no','sno']", openTime: '$.date' };
    const results = read('JsonPathSpider', bodyOf('mark-six.json'), JSON.stringify(mapping));
    expect(results).toHaveLength(4);
    for (const { result } of results) expect(result.split(',')).toHaveLength(7);
    expect(read('JsonPathSpider', bodyOf('mark-six-empty.json'), JSON.stringify(mapping))).toEqual([]);
  });
});
