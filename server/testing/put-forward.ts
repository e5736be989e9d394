const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The rule of a zone for a change of its clocks, on the day that they show just before: zero for the first of January. */
function changeOn(wall: Date, later = 0): string {
  const day = Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / DAY_MS);
  return `${(day + later) % 365}/${later === 0 ? wall.toISOString().slice(11, 19) : '0'}`;
}

const zoneOf = (ahead: number, putForward: string, putBack: string): string =>
  `AAA${-ahead}BBB${-ahead - 1},${putForward},${putBack}`;

/**
 * A zone as PostgreSQL reads it, whose clocks are put an hour forward at a moment and back two months later; up to the moment they are so many
 * hours ahead of UTC. So days of clock changes come on the day that a test runs.
 */
export function zonePutForwardAt(moment: Date, ahead = 0): string {
  const wall = new Date(moment.getTime() + ahead * HOUR_MS);
  return zoneOf(ahead, changeOn(wall), changeOn(wall, 60));
}

/** The same whose clocks are put back at the moment, to be so many hours ahead from then on; they were put forward two months before. */
export function zonePutBackAt(moment: Date, ahead = 0): string {
  const wall = new Date(moment.getTime() + (ahead + 1) * HOUR_MS);
  return zoneOf(ahead, changeOn(wall, 305), changeOn(wall));
}

/** The hours by which a zone is ahead where it is past noon now: no test of a day then runs over its midnight. */
export const aheadAtNoon = (): number => 12 - new Date().getUTCHours();

/** The midnight with which a day began in a zone that is so many hours ahead, some days ago. */
export function midnightIn(ahead: number, daysAgo = 0): Date {
  const wall = Date.now() + ahead * HOUR_MS;
  return new Date((Math.floor(wall / DAY_MS) - daysAgo) * DAY_MS - ahead * HOUR_MS);
}
