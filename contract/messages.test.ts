import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from './all.ts';
import { describeIssue } from './describe-issue.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { bareSchema, shapeOf } from './row-schema.ts';

const long = 'x'.repeat(30_000);
const plain = [
  ...[
    undefined,
    null,
    '',
    ' ',
    'x',
    long,
    '\u0000',
    '\ud800',
    'javascript:alert(1)',
    '../x',
    '-1',
    '1e99',
    '{',
    '{}',
    '[]',
  ],
  ...[0, -1, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, true, false, 1n, Symbol('x'), new Date(0)],
  ...[[], [null], ['x'], [[]], [0], ['x', 'y', 'z'], ['2026-02-01 00:00:00', '2026-01-01 00:00:00']],
  ...[{}, { x: 1 }, { x: { y: [] } }, Array.from({ length: 20_001 }, () => 'x'), () => 1],
];

/** Everything that can be wrong with a field: plain nonsense, and an object or list of which one part is nonsense. */
function spoilt(schema: z.ZodType, depth = 0): unknown[] {
  const bare = bareSchema(schema);
  if (depth > 3) return plain;
  if (bare instanceof z.ZodArray)
    return [...plain, ...spoilt(bare.element as z.ZodType, depth + 1).map((one) => [one])];
  const inside = Object.entries(shapeOf(bare)).flatMap(([name, part]) =>
    spoilt(part, depth + 1).map((one) => ({ [name]: one })),
  );
  return [...plain, ...inside];
}

/** Words of the wire's grammar that operators know by these letters. */
const known = /YYYY-MM-DD|HH:mm:ss|IDs?|USDT|STARTTLS|JSON|SMTP|URL|Ant|https?:\/\//g;

const calls = Object.entries<AnyEndpoint>(contract).filter(
  ([, { input }]) => Object.keys(shapeOf(input)).length > 0,
);

describe('what is said about a wrong field', () => {
  it.each(calls)('%s speaks Chinese, whatever is wrong with whichever field', (_name, { input }) => {
    const said = new Set<string>();
    for (const [field, schema] of Object.entries(shapeOf(input))) {
      for (const value of spoilt(schema)) {
        const result = input.safeParse({ [field]: value });
        for (const { path, message } of result.error?.issues ?? [])
          said.add(describeIssue(input, path, message));
      }
    }
    for (const value of plain)
      for (const { path, message } of input.safeParse(value).error?.issues ?? [])
        said.add(describeIssue(input, path, message));
    expect(said.size).toBeGreaterThan(0);
    for (const sentence of said) {
      expect(sentence.replaceAll(known, '')).not.toMatch(/[A-Za-z]/);
      expect(sentence).toMatch(/[\u4e00-\u9fff]/);
    }
  });
});
