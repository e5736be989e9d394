import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

interface GameOptions {
  name?: string;
  openRate?: number;
  stopBetSecond?: number;
  phase?: string;
  phaseTime?: Date;
  phaseRule?: 'RUNNING' | 'DAILY' | 'YEARLY';
  status?: boolean;
  timeRanges?: readonly { start: string; end: string; openRate?: number; weekdays?: readonly number[] }[];
  numbers?: readonly string[];
}

/** A game made in the database: it draws all day every five minutes, from phase 1000 on, unless told otherwise. */
export async function buildGame(db: Db, options: GameOptions = {}): Promise<number> {
  const {
    name = `游戏 ${randomUUID()}`,
    openRate = 300,
    stopBetSecond = 0,
    phase = '1000',
    numbers = [],
  } = options;
  const { phaseTime = new Date(), phaseRule = 'RUNNING', status = true } = options;
  const { timeRanges = [{ start: '00:00:00', end: '23:59:59' }] } = options;
  const { rows } = await sql<{ id: number }>`
    with category as (
      insert into game_category (name) values (${name}) returning id
    ), game as (
      insert into game (name, "categoryId", phase, "phaseTime", "phaseRule", "openRate", "stopBetSecond", status)
      select ${name}, id, ${phase}, ${phaseTime}::timestamptz, ${phaseRule}, ${openRate}, ${stopBetSecond}, ${status}
      from category returning id
    ), ranges as (
      insert into bet_time_range ("gameId", start, "end", "openRate", weekdays)
      select game.id, r.start, r."end", r."openRate", r.weekdays from game, jsonb_to_recordset(${JSON.stringify(timeRanges)}::jsonb)
        as r (start time, "end" time, "openRate" integer, weekdays smallint[]) returning 1
    ), numbers as (
      insert into game_number ("gameId", number) select game.id, n from game, unnest(${[...numbers]}::text[]) as n returning 1
    )
    select id from game`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('cannot build a game');
  return id;
}
