import type { PostgresType } from 'postgres';
import { arrayTypes } from './array-types.ts';

/** Object identifiers of PostgreSQL's own types; they never change between versions. */
const oid = {
  bool: 16,
  int8: 20,
  json: 114,
  jsonb: 3802,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
} as const;

const asText = (value: unknown): string => String(value);

/** `YYYY-MM-DD HH:mm:ss`: the fraction and the offset are cut off, since the session runs in the platform's zone. */
const toTheSecond = (text: string): string => text.slice(0, 19);

function fromMoment(value: unknown): string {
  return value instanceof Date ? value.toISOString() : asText(value);
}

/** Text counts as JSON text, as everywhere else with Kysely. */
const fromJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A Date has no calendar day of its own; its text would be the day in UTC, which is wrong in the platform's zone. */
function fromCalendar(value: unknown): string {
  if (value instanceof Date) throw new TypeError('pass text, not a Date, to a date or timestamp column');
  return asText(value);
}

const type = (
  number: number,
  serialize: (value: unknown) => string,
  parse: (text: string) => unknown,
): PostgresType => ({
  to: number,
  from: [number],
  serialize,
  parse,
});

/**
 * How single values travel. Not listed, and so left as text: numeric, uuid, time. The driver's own: integers and floats as
 * numbers, bytea as Buffer. A json parameter may be a value or its JSON text.
 */
const scalarTypes = {
  // Ids and counts stay below 2^53.
  int8: type(oid.int8, asText, Number),
  json: type(oid.json, fromJson, JSON.parse),
  jsonb: type(oid.jsonb, fromJson, JSON.parse),
  // The driver's own serializer would send any text, even 'true', as false.
  bool: type(oid.bool, asText, (text) => text === 't'),
  // The driver's own serializer would read text in the zone of this process.
  timestamptz: type(oid.timestamptz, fromMoment, toTheSecond),
  timestamp: type(oid.timestamp, fromCalendar, toTheSecond),
  date: type(oid.date, fromCalendar, (text) => text),
};

/** How column values travel; arrays as arrays of what their items are. */
export const columnTypes = { ...scalarTypes, ...arrayTypes(scalarTypes) };
