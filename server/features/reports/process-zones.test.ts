import { expect, it } from 'vitest';
import { addDays, dayStart as midnightOf } from '#server/platform-days.ts';
import { inEveryZone } from '#server/testing/in-every-zone.ts';
import { reportDay, reportDayOfDraw, reportDayStart } from '#server/testing/report-day.ts';

it.each([
  ['America/New_York', '06:30'],
  ['Pacific/Auckland', '00:00'],
])(
  'slips at the edges of days in %s that begin at %s give the same report and the same rebates whatever the zone of the process and of the database',
  async (timeZone, dayStart) => {
    const calendar = { timeZone, dayStart };
    // Over for good while this runs: the last is the day before this one at the latest.
    const before = addDays(reportDay(Math.floor(Date.now() / 1_000), calendar), -3);
    const days = [0, 1, 2].map((later) => addDays(before, later));
    const edges = days.slice(1).flatMap((day) => [reportDayStart(day, calendar), midnightOf(day, timeZone)]);
    // Around each, some are drawn then, others placed then and drawn ten minutes later.
    const moments = [...new Set(edges)].flatMap((edge) => [edge - 1, edge, edge + 1]);
    const slips = moments
      .flatMap((moment) => [
        { from: moment - 600, to: moment },
        { from: moment - 60, to: moment + 540 },
      ])
      // Of each sum can be told whose stakes it is of.
      .map((times, place) => ({ ...times, stake: String(2 ** place) }));
    const said = await inEveryZone('reports', timeZone, { dayStart, slips, days });
    expect(said.size).toBe(8);
    const of = (day: string) => slips.filter(({ to }) => reportDayOfDraw(to, calendar) === day);
    const stakeOf = (day: string) => of(day).reduce((sum, { stake }) => sum + Number(stake), 0);
    const [first] = said.values();
    expect(first?.days.map(({ key, slips: count, stake }) => [key, count, Number(stake)])).toEqual(
      days.map((day) => [day, of(day).length, stakeOf(day)]).toReversed(),
    );
    expect(
      first?.rebates.map(({ day, turnover, rebate }) => [day, Number(turnover), Number(rebate)]),
    ).toEqual(days.map((day) => [day, stakeOf(day), stakeOf(day) / 100]));
    for (const [zones, each] of said) expect(each, zones).toEqual(first);
  },
  180_000,
);
