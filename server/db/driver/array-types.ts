import type { PostgresType } from 'postgres';

/** PostgreSQL's own array types by their elements' types; they never change between versions. */
const arrays = {
  16: 1000, // bool
  19: 1003, // name
  20: 1016, // int8
  21: 1005, // int2
  23: 1007, // int4
  25: 1009, // text
  26: 1028, // oid
  114: 199, // json
  700: 1021, // float4
  701: 1022, // float8
  1043: 1015, // varchar
  1082: 1182, // date
  1114: 1115, // timestamp
  1184: 1185, // timestamptz
  1700: 1231, // numeric
  2950: 2951, // uuid
  3802: 3807, // jsonb
} as const;

const numbers: readonly number[] = [21, 23, 26, 700, 701];

const fromItem = (item: unknown, serialize: (value: unknown) => string): string => {
  if (item === null || item === undefined) return 'NULL';
  if (Array.isArray(item)) return textOfArray(item, serialize);
  return `"${serialize(item).replace(/["\\]/g, '\\$&')}"`;
};

/** An array as PostgreSQL writes it; `serialize` writes an item. */
export const textOfArray = (items: readonly unknown[], serialize: (value: unknown) => string): string =>
  `{${items.map((item) => fromItem(item, serialize)).join(',')}}`;

/** Braces, quoted items with what they quote, and plain items. */
const tokens = /[{}]|"((?:[^"\\]|\\.)*)"|[^,{}"]+/gs;

function toArray(text: string, parse: (item: string) => unknown): unknown {
  const outer: unknown[] = [];
  const open: unknown[][] = [outer];
  // Bounds other than from 1 on stand before the first brace.
  for (const [token, quoted] of text.slice(text.indexOf('{')).matchAll(tokens)) {
    const inner: unknown[] = [];
    if (token === '}') open.pop();
    else if (token === '{') open.at(-1)?.push(inner);
    else if (quoted !== undefined) open.at(-1)?.push(parse(quoted.replace(/\\(.)/gs, '$1')));
    else open.at(-1)?.push(token === 'NULL' ? null : parse(token));
    if (token === '{') open.push(inner);
  }
  return outer[0];
}

/**
 * Types for arrays of PostgreSQL's own types. The driver would ask each new connection which arrays there are, and a
 * connection that is lost while it asks ends the process: nothing awaits that question.
 */
export function arrayTypes(types: Readonly<Record<string, PostgresType>>): Record<string, PostgresType> {
  const own = new Map(Object.values(types).map((type) => [type.to, type]));
  const entries = Object.entries(arrays).map(([element, array]): [string, PostgresType] => {
    const number = Number(element);
    const type = own.get(number);
    const serialize = (item: unknown) => String(type ? type.serialize(item) : item);
    const parse = type ? type.parse : numbers.includes(number) ? Number : (text: string) => text;
    return [
      `array${array}`,
      {
        to: array,
        from: [array],
        // Text is an array's own text, as the driver takes it.
        serialize: (value: unknown) => (Array.isArray(value) ? textOfArray(value, serialize) : String(value)),
        parse: (text: string) => toArray(text, parse),
      },
    ];
  });
  return Object.fromEntries(entries);
}
