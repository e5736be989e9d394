import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, momentOf } from '#server/platform-days.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import {
  type NumberedRun,
  numberedRuns,
  ownSpelling,
  type PlannedGame,
  phaseAt,
  phaseIn,
} from './numbering.ts';
import { countSlots, runsBetween } from './slots.ts';

const SHANGHAI = 'Asia/Shanghai';
const game = (overrides: Partial<PlannedGame> = {}): PlannedGame => ({
  timeZone: SHANGHAI,
  openRate: 300,
  timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
  phaseRule: 'RUNNING',
  phase: '1',
  phaseTime: momentOf('2026-01-01 00:00:00', SHANGHAI),
  ...overrides,
});

interface Slot {
  phase: string;
  start: number;
  end: number;
}
const slotsOf = (runs: readonly NumberedRun[]): Slot[] =>
  runs.flatMap((run) =>
    Array.from({ length: run.count }, (_, index) => {
      const start = run.start + index * run.rate;
      return { phase: phaseIn(run, index), start, end: start + run.rate };
    }),
  );
const daySlots = (of: PlannedGame, day: string, days = 1): Slot[] =>
  slotsOf(
    numberedRuns(
      of,
      momentOf(`${day} 00:00:00`, of.timeZone),
      momentOf(`${addDays(day, days)} 00:00:00`, of.timeZone),
    ),
  );
const clock = (seconds: number, timeZone = SHANGHAI) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' }).format(seconds * 1000);

describe('figures from the field', () => {
  it('PK10: 179 draws from 09:07:45 every 5 minutes, running on', () => {
    const pk10 = game({
      timeRanges: [{ start: '09:02:45', end: '23:57:45' }],
      phase: '664880',
      phaseTime: momentOf('2018-02-01 23:55:00', SHANGHAI),
    });
    const slots = daySlots(pk10, '2018-02-02');
    expect(slots).toHaveLength(179);
    expect(clock(slots[0]?.end ?? 0)).toBe('09:07:45');
    expect(clock(slots.at(-1)?.end ?? 0)).toBe('23:57:45');
    expect(slots[0]?.phase).toBe('664881');
    // Between the captures of 2018-02-01 and 2018-09-17 lie 7 days of rest at the Spring Festival.
    expect(phaseAt(pk10, momentOf('2018-09-10 23:58:00', SHANGHAI))).toBe('704439');
  });

  it('重庆时时彩 of 2018: 120 a day in steps of 5, 10 and 5 minutes', () => {
    const cqssc = game({
      openRate: 600,
      timeRanges: [
        { start: '00:00:00', end: '01:55:00', openRate: 300 },
        { start: '09:50:00', end: '22:00:00' },
        { start: '22:00:00', end: '23:59:59', openRate: 300 },
      ],
      phaseRule: 'DAILY',
    });
    const slots = daySlots(cqssc, '2018-09-15');
    expect(slots).toHaveLength(120);
    const draws = new Map(slots.map(({ phase, end }) => [phase.slice(8), clock(end)]));
    expect(slots[0]?.phase).toBe('20180915001');
    const wanted = {
      '001': '00:05:00',
      '023': '01:55:00',
      '024': '10:00:00',
      '096': '22:00:00',
      '119': '23:55:00',
      '120': '00:00:00',
    };
    for (const [serial, time] of Object.entries(wanted)) expect(draws.get(serial), serial).toBe(time);
  });

  it('PC28: 179 draws from 09:05', () => {
    const slots = daySlots(game({ timeRanges: [{ start: '09:00:00', end: '23:55:00' }] }), '2018-09-15');
    expect(slots).toHaveLength(179);
    expect([clock(slots[0]?.end ?? 0), clock(slots.at(-1)?.end ?? 0)]).toEqual(['09:05:00', '23:55:00']);
  });
});

describe('games that draw on some days of the week', () => {
  /** 双色球: Tuesday, Thursday and Sunday at 21:15, a day's betting before each. */
  const doubleColour = (phase: string, phaseTime: string) =>
    game({
      openRate: 86_400,
      timeRanges: [{ start: '21:15:00', end: '21:15:00', weekdays: [1, 3, 6] }],
      phaseRule: 'YEARLY',
      phase,
      phaseTime: momentOf(phaseTime, SHANGHAI),
    });

  it('双色球 of 2024: the issues and days as they were drawn', () => {
    const slots = daySlots(doubleColour('2024054', '2024-05-14 12:00:00'), '2024-05-13', 57);
    const drawn = slots.map(({ phase, end }) => [phase, dayOf(end, SHANGHAI)]);
    expect(drawn).toHaveLength(25);
    expect(drawn.slice(0, 4)).toEqual([
      ['2024054', '2024-05-14'],
      ['2024055', '2024-05-16'],
      ['2024056', '2024-05-19'],
      ['2024057', '2024-05-21'],
    ]);
    expect(drawn.at(-1)).toEqual(['2024078', '2024-07-09']);
    expect(clock(slots[0]?.end ?? 0)).toBe('21:15:00');
  });

  it.each([
    {
      ...{ name: '快乐8', timeRanges: [{ start: '21:30:00', end: '21:30:00' }] },
      drawn: ['2025350 2025-12-30', '2025351 2025-12-31', '2026001 2026-01-01', '2026002 2026-01-02'],
    },
    {
      ...{ name: '双色球', timeRanges: [{ start: '21:15:00', end: '21:15:00', weekdays: [1, 3, 6] }] },
      drawn: ['2025150 2025-12-28', '2025151 2025-12-30', '2026001 2026-01-01', '2026002 2026-01-04'],
    },
  ])('$name over New Year, as published: a year counts from its first draw', ({ timeRanges, drawn }) => {
    const [phase = '', day = ''] = drawn[0]?.split(' ') ?? [];
    const phaseTime = momentOf(`${day} 12:00:00`, SHANGHAI);
    const set = game({ openRate: 86_400, timeRanges, phaseRule: 'YEARLY', phase, phaseTime });
    const slots = daySlots(set, addDays(day, -1), 8).slice(0, 4);
    expect(slots.map((slot) => `${slot.phase} ${dayOf(slot.end, SHANGHAI)}`)).toEqual(drawn);
    // Betting on it began in the old year, and the phase was set years before.
    const old = { ...set, phase: '2019001', phaseTime: momentOf('2019-01-01 12:00:00', SHANGHAI) };
    for (const time of ['2025-12-31 22:00:00', '2026-01-01 12:00:00'])
      expect(phaseAt(old, momentOf(time, SHANGHAI))).toBe('2026001');
    const corrected = { ...old, phase: '2026009', phaseTime: momentOf('2025-12-31 22:00:00', SHANGHAI) };
    expect(phaseAt(corrected, momentOf('2026-01-01 12:00:00', SHANGHAI))).toBe('2026009');
  });

  it('keep the phase on days without a draw, and count none for them', () => {
    const game = doubleColour('2024054', '2024-05-14 12:00:00');
    const at = (time: string) => phaseAt(game, momentOf(`2024-05-${time}`, SHANGHAI));
    // Tuesday's draw is over at 21:15; the next slot begins on Wednesday evening.
    expect([at('14 21:14:59'), at('14 21:15:00'), at('15 21:14:59'), at('15 21:15:00')]).toEqual([
      ...['2024054', '2024054', '2024054'],
      '2024055',
    ]);
    expect(at('18 21:00:00')).toBe('2024055');
    expect(daySlots(game, '2024-05-14')).toEqual([]);
  });

  it('a phase set long ago, or after the last draw of one weekly day, is counted on', () => {
    const weekly = game({
      openRate: 3_600,
      timeRanges: [{ start: '23:00:00', end: '01:00:00', weekdays: [7] }],
      phase: '100',
      phaseTime: momentOf('2024-06-08 12:00:00', SHANGHAI),
    });
    // The Sunday before was 2 June; its second slot began at midnight, on Monday.
    expect(daySlots(weekly, '2024-06-03').map(({ phase }) => phase)).toEqual(['100']);
    expect(daySlots(weekly, '2024-06-09', 2).map(({ phase }) => phase)).toEqual(['101', '102']);
    expect(daySlots(weekly, '2025-06-08', 2).map(({ phase }) => phase)).toEqual(['205', '206']);
  });
});

describe('slots', () => {
  it('leave out what is shorter than the interval', () => {
    expect(
      daySlots(game({ timeRanges: [{ start: '10:00:00', end: '10:14:59' }] }), '2026-05-01'),
    ).toHaveLength(2);
  });

  it('run into the next day when the end is not after the start', () => {
    const night = game({
      openRate: 3600,
      timeRanges: [{ start: '22:00:00', end: '02:00:00' }],
      phaseRule: 'DAILY',
    });
    expect(daySlots(night, '2026-05-01').map(({ phase, start }) => `${phase} ${clock(start)}`)).toEqual([
      '20260501001 00:00:00',
      '20260501002 01:00:00',
      '20260501003 22:00:00',
      '20260501004 23:00:00',
    ]);
  });

  it('have 23 or 25 hours on the days New York changes its clocks', () => {
    const hourly = game({ timeZone: 'America/New_York', openRate: 3600 });
    expect(daySlots(hourly, '2026-03-08')).toHaveLength(23);
    expect(daySlots(hourly, '2026-11-01')).toHaveLength(25);
    expect(daySlots(hourly, '2026-11-02')).toHaveLength(24);
  });

  it('of a draw once a day or a few times end at its hour also where clocks change, and none is missing', () => {
    const zone = 'America/New_York';
    const drawnAt = (of: PlannedGame, day: string) => {
      const slots = daySlots(of, addDays(day, -2), 4);
      const first = Number(slots[0]?.phase);
      expect(slots.map(({ phase }) => Number(phase) - first)).toEqual(slots.map((_, place) => place));
      slots.slice(1).forEach((slot, place) => {
        expect(slot.start).toBe(slots[place]?.end);
      });
      return slots.map(({ end }) => clock(end, zone));
    };
    const timeRanges = [{ start: '21:15:00', end: '21:15:00' }];
    const daily = game({ timeZone: zone, openRate: 86_400, timeRanges });
    const thrice = game({ timeZone: zone, openRate: 28_800 });
    for (const day of ['2027-03-14', '2027-11-07', '2028-02-29']) {
      expect(drawnAt(daily, day)).toEqual(Array.from({ length: 4 }, () => '21:15:00'));
      expect(drawnAt(thrice, day)).toEqual(
        Array.from({ length: 4 }, () => ['08:00:00', '16:00:00', '00:00:00']).flat(),
      );
    }
  });

  it('skip ranges that lie in the hour the clocks skip', () => {
    const zone = 'America/New_York';
    const ranges = [
      { start: '02:00:00', end: '02:30:00' },
      { start: '02:30:00', end: '03:00:00' },
      { start: '03:00:00', end: '04:00:00' },
    ];
    expect(daySlots(game({ timeZone: zone, openRate: 600, timeRanges: ranges }), '2026-03-08')).toHaveLength(
      6,
    );
  });
});

describe('phases', () => {
  it('keep leading zeros', () => {
    const padded = game({ phase: '0098', phaseTime: momentOf('2026-05-01 00:00:00', SHANGHAI) });
    expect(
      daySlots(padded, '2026-05-01')
        .slice(0, 3)
        .map(({ phase }) => phase),
    ).toEqual(['0098', '0099', '0100']);
  });

  it('count on beyond what a double holds', () => {
    const long = game({ phase: '90071992547409919', phaseTime: momentOf('2026-05-01 00:00:00', SHANGHAI) });
    expect(daySlots(long, '2026-05-01')[1]?.phase).toBe('90071992547409920');
  });

  it('take the width of a daily serial from the game’s phase', () => {
    const wide = game({ openRate: 60, phaseRule: 'DAILY', phase: '202605010001' });
    const slots = daySlots(wide, '2026-05-02');
    expect([slots[0]?.phase, slots.at(-1)?.phase]).toEqual(['202605020001', '202605021440']);
  });

  it('begin anew each year, and count from a phase that was set within the year', () => {
    const yearly = game({ openRate: 86_400, phaseRule: 'YEARLY', phase: '1' });
    expect(daySlots(yearly, '2026-12-31', 2).map(({ phase }) => phase)).toEqual(['2026365', '2027001']);
    const set = game({
      ...yearly,
      phase: '2026008',
      phaseTime: momentOf('2026-03-10 12:00:00', SHANGHAI),
    });
    expect(daySlots(set, '2026-03-10', 2).map(({ phase }) => phase)).toEqual(['2026008', '2026009']);
    expect(daySlots(set, '2027-01-01')[0]?.phase).toBe('2027001');
  });

  it('of a game without slots stay what they are', () => {
    expect(phaseAt(game({ timeRanges: [], phase: '007' }), 1_800_000_000)).toBe('007');
  });
});

// Ranges that do not overlap: cuts of the day, every other piece taken; the last may run into the next day.
const schedules = fc
  .record({
    timeZone: fc.constantFrom(
      ...[SHANGHAI, 'UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
      ...['America/Santiago', 'Atlantic/Azores', 'Antarctica/Troll'],
    ),
    openRate: fc.integer({ min: 240, max: 9_000 }),
    cuts: fc.uniqueArray(fc.integer({ min: 0, max: 86_399 }), { minLength: 2, maxLength: 8 }),
    rates: fc.array(fc.option(fc.integer({ min: 240, max: 5_000 })), { minLength: 4, maxLength: 4 }),
    wraps: fc.boolean(),
    weekdays: fc.array(fc.option(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })), {
      minLength: 4,
      maxLength: 4,
    }),
    phaseRule: fc.constantFrom('RUNNING' as const, 'DAILY' as const, 'YEARLY' as const),
    phaseDay: fc.integer({ min: -500, max: 500 }),
    phase: fc.constantFrom('1000001', '00009000123', '9999999', '66488000'),
  })
  .map(({ cuts, rates, wraps, weekdays, phaseDay, ...rest }): PlannedGame => {
    const sorted = cuts.toSorted((a, b) => a - b);
    const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19);
    const pieces = sorted.flatMap((start, index) => {
      const end = sorted[index + 1];
      return index % 2 === 0 && end !== undefined ? [{ start, end }] : [];
    });
    const last = pieces.at(-1);
    if (wraps && last) last.end = Math.max(0, (sorted[0] ?? 0) - 1);
    const timeRanges = pieces.map(({ start, end }, index) => ({
      start: time(start),
      end: time(end),
      openRate: rates[index] ?? null,
      weekdays: weekdays[index] ?? null,
    }));
    return {
      ...rest,
      timeRanges,
      phaseTime: momentOf(`${addDays('2026-06-15', phaseDay)} 13:14:15`, rest.timeZone),
    };
  });
// Around both clock changes of the zones that have any, New Year, and an ordinary month.
const days = fc
  .tuple(
    fc.constantFrom(
      '2026-03-06',
      '2026-04-03',
      '2026-10-02',
      '2026-10-30',
      '2026-12-30',
      '2026-07-10',
      '2026-09-04',
      '2026-03-27',
      '2026-10-23',
    ),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([day, more]) => addDays(day, more));
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { seed: randomSeed, numRuns: 40 });

const prefixDigits = { RUNNING: 0, DAILY: 8, YEARLY: 4 };
const serialOf = ({ phaseRule }: PlannedGame, { phase }: Slot): bigint =>
  BigInt(phase.slice(prefixDigits[phaseRule]));

describe('whatever the schedule', () => {
  it('plans have no gap and no double, and never overlap', () => {
    check(
      fc.property(schedules, days, (planned, day) => {
        const slots = daySlots(planned, day, 4);
        expect(new Set(slots.map(({ phase }) => phase)).size).toBe(slots.length);
        slots.slice(1).forEach((slot, index) => {
          const before = slots[index];
          expect(slot.start).toBeGreaterThanOrEqual(before?.end ?? 0);
          const counted = serialOf(planned, slot) - serialOf(planned, before ?? slot);
          // A new day or year counts from 1 again. A serial may outgrow its width: 2027999 is followed by 20271000.
          expect([
            1n,
            planned.phaseRule === 'RUNNING' ? 1n : 1n - serialOf(planned, before ?? slot),
          ]).toContain(counted);
        });
      }),
    );
  });

  it('plans come out the same in whatever order days and parts of days are generated', () => {
    check(
      fc.property(schedules, days, fc.integer({ min: 1, max: 300_000 }), (planned, day, cut) => {
        const from = momentOf(`${day} 00:00:00`, planned.timeZone);
        const to = from + 345_600;
        const whole = slotsOf(numberedRuns(planned, from, to));
        const late = slotsOf(numberedRuns(planned, from + cut, to));
        const early = slotsOf(numberedRuns(planned, from, from + cut));
        expect([...early, ...late]).toEqual(whole);
      }),
    );
  });

  it('the phase of a moment is that of the slot it lies in, in whatever order moments are asked for', () => {
    check(
      fc.property(
        schedules,
        days,
        fc.array(fc.integer({ min: 0, max: 345_599 })),
        (planned, day, moments) => {
          const from = momentOf(`${day} 00:00:00`, planned.timeZone);
          const slots = slotsOf(numberedRuns(planned, from, from + 345_600));
          for (const moment of moments.map((after) => from + after)) {
            const slot = slots.find(({ start, end }) => start <= moment && moment < end);
            if (slot) expect(phaseAt(planned, moment)).toBe(slot.phase);
          }
        },
      ),
    );
  });

  it('setting the phase to what it is changes nothing', () => {
    check(
      fc.property(schedules, days, fc.integer({ min: 0, max: 400_000 }), (planned, day, later) => {
        const from = momentOf(`${day} 00:00:00`, planned.timeZone);
        const phaseTime = from + later;
        const again = { ...planned, phase: phaseAt(planned, phaseTime), phaseTime };
        // A daily serial takes its width from the phase, so a phase of another kind may widen it.
        if (planned.phaseRule !== 'RUNNING') return;
        const plain = (of: PlannedGame) =>
          daySlots(of, day, 3).map(({ phase, start }) => [BigInt(phase), start]);
        expect(plain(again)).toEqual(plain(planned));
      }),
    );
  });

  it('counting slots agrees with listing them', () => {
    check(
      fc.property(schedules, days, fc.integer({ min: 0, max: 40_000_000 }), (planned, day, length) => {
        const from = momentOf(`${day} 07:08:09`, planned.timeZone);
        const listed = runsBetween(planned, from, from + length).reduce((sum, { count }) => sum + count, 0);
        expect(countSlots(planned, from, from + length)).toBe(listed);
        expect(countSlots(planned, from + length, from)).toBe(0 - listed);
      }),
    );
  });
});

describe('a phase that a source tells with two digits of its year', () => {
  const moment = momentOf('2026-05-20 12:00:00', SHANGHAI);
  const spelt = (overrides: Partial<PlannedGame>, ...phases: string[]) =>
    phases.map(ownSpelling(game({ phaseTime: moment, ...overrides }), moment));

  it('is the game’s own where that counts by the year, or by the day', () => {
    const yearly = { phaseRule: 'YEARLY', phase: '2026055' } as const;
    expect(spelt(yearly, '26054', '26/055', '20001', '2026054')).toEqual([
      ...['2026054', '2026055', '2020001', '2026054'],
    ]);
    const daily = { phaseRule: 'DAILY', phase: '2026052001', openRate: 1_200 } as const;
    expect(spelt(daily, '26052002', '18091501', '2026052002')).toEqual([
      ...['2026052002', '2018091501', '2026052002'],
    ]);
  });

  it('is left as it is where it would be none, or where phases just run on', () => {
    const yearly = { phaseRule: 'YEARLY', phase: '2026055' } as const;
    expect(spelt(yearly, '6054', '126054', '26-054', '26/54', 'x6054')).toEqual([
      ...['6054', '126054', '26-054', '26/54', 'x6054'],
    ]);
    // A day of a thirteenth month.
    expect(spelt({ phaseRule: 'DAILY', phase: '2026052001', openRate: 1_200 }, '26133101')).toEqual([
      '26133101',
    ]);
    expect(spelt({ phase: '0704351' }, '04351')).toEqual(['04351']);
  });
});
