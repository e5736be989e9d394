const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A zone as PostgreSQL reads it, whose clocks are put an hour forward at a moment and back two months later; up to the moment they are so many
 * hours ahead of UTC. So days of clock changes come on the day that a test runs.
 */
export function zonePutForwardAt(moment: Date, ahead = 0): string {
  const wall = new Date(moment.getTime() + ahead * HOUR_MS);
  const day = Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / DAY_MS);
  return `AAA${-ahead}BBB${-ahead - 1},${day}/${wall.toISOString().slice(11, 19)},${(day + 60) % 365}/0`;
}

/** The hours by which a zone is ahead where it is past noon now: no test of a day then runs over its midnight. */
export const aheadAtNoon = (): number => 12 - new Date().getUTCHours();

/** The midnight with which a day began in a zone that is so many hours ahead, some days ago. */
export function midnightIn(ahead: number, daysAgo = 0): Date {
  const wall = Date.now() + ahead * HOUR_MS;
  return new Date((Math.floor(wall / DAY_MS) - daysAgo) * DAY_MS - ahead * HOUR_MS);
}
