import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { testDatabase } from './test-database.ts';
import type { Work, Zoned } from './zone-work.ts';

/** Zones of processes and of databases, of which nothing may depend: on both sides of UTC, with and without clocks that change. */
const zones = ['UTC', 'America/New_York', 'Asia/Shanghai', 'Pacific/Chatham'] as const;
type Zone = (typeof zones)[number];

const program = fileURLToPath(new URL('zone-work.ts', import.meta.url));

/** Zones that databases have where a process is in one of them: its own and the next. */
const databasesOf = (zone: Zone): Zone[] => {
  const place = zones.indexOf(zone);
  return [zone, zones[(place + 1) % zones.length] ?? zone];
};

/**
 * Has the work done in a process of each zone (its `TZ`) on a database whose own zone is the same and on one where it is another, all for a
 * platform in `timeZone`. Gives what each of the pairs says, by the names of both. A process of its own, since zones are remembered and
 * worked out once; one after the other, since each needs a processor.
 */
export async function inEveryZone<W extends Work>(
  work: W,
  timeZone: string,
  input: Zoned<W>['input'],
): Promise<Map<string, Zoned<W>['said']>> {
  const said = new Map<string, Zoned<W>['said']>();
  const inZone = async (zone: Zone): Promise<void> => {
    const own = databasesOf(zone);
    const databases = await Promise.all(own.map(() => testDatabase({ timeZone })));
    try {
      for (const [place, { url, owner }] of databases.entries())
        await sql`alter database ${sql.ref(new URL(url).pathname.slice(1))} set timezone to ${sql.lit(own[place])}`.execute(
          owner,
        );
      const urls = databases.map(({ url, ownerUrl }) => ({ url, ownerUrl }));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program, JSON.stringify({ work, timeZone, input, urls })],
        { env: { ...process.env, TZ: zone }, maxBuffer: 64 << 20 },
      );
      const told: { zone: string; answers: Zoned<W>['said'][] } = JSON.parse(stdout);
      if (told.zone !== zone) throw new Error(`a process in ${told.zone}, not ${zone}`);
      for (const [place, answer] of told.answers.entries()) said.set(`${zone} / ${own[place]}`, answer);
    } finally {
      await Promise.all(databases.map(({ drop }) => drop()));
    }
  };
  for (const zone of zones) await inZone(zone);
  return said;
}
