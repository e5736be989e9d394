import { getConsoleSettings } from '#contract/console-settings.ts';
import { platformZone, wallClock } from './platform-zone.ts';
import { serverNow } from './server-clock.ts';
import { answeredBefore } from './use-endpoint.ts';

/** The platform's day by now, as `YYYY-MM-DD`. */
export const calendarToday = (): string => wallClock(serverNow(), platformZone()).slice(0, 10);

/** The day that the report counts by now, which may begin later: as the server told within the last minute. A server of before tells none. */
export const reportToday = (): string =>
  answeredBefore(getConsoleSettings, {})?.reportDay?.today ?? calendarToday();
