import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract/all.ts';
import { type AnyEndpoint, basePath, pathFields } from '#contract/endpoint.ts';
import { bareSchema, elementOf } from '#contract/row-schema.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// What looks at a text from each of its places anew takes the square of its length. So every field of every call is given texts of one thing
// again and again, as long as a body may be, and as long as the field takes.

const LONGEST_HOLD_MS = 300;
/** A body may have 1 MiB; this leaves room for names. */
const BODY = 1_000_000;
const DEEPEST = 6;

const again = [
  ...[...' \u3000\t\n\u200b01１aé中😀.-+([<&/*@:_%=?#"\'\\'],
  ...[
    'a1',
    '1.',
    '1-',
    '01-99,',
    '1,',
    ', ',
    '1 ',
    '1|',
    '(1)',
    '{{',
    '{{a',
    '<a',
    '</',
    '/*',
    'a@',
    '$[',
    '..',
  ],
];

// A session that ended would answer for all calls after it.
const ending = new Set(['logout', 'changePassword', 'tryRole']);
const calls = Object.entries<AnyEndpoint>(contract).filter(
  ([name, { verb }]) => verb === 'POST' && !ending.has(name),
);

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = (await server.admin()).token;
});
afterAll(() => server.close());

type TextFor = (field: z.ZodType) => string;

/** A value of a schema's make, all of whose texts are made by `textFor`. */
function filled(schema: z.ZodType, textFor: TextFor, depth = 0): unknown {
  const bare = bareSchema(schema);
  const inside = (each: z.ZodType) => filled(each, textFor, depth + 1);
  if (depth === DEEPEST) return textFor(bare);
  if (bare instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries<z.ZodType>(bare.shape).map(([name, each]) => [name, inside(each)]),
    );
  const element = elementOf(bare);
  if (element) return [inside(element)];
  if (bare instanceof z.ZodTuple) return [textFor(bare), textFor(bare)];
  const options = bare instanceof z.ZodUnion ? bare.options.filter((each) => each instanceof z.ZodType) : [];
  const made = options.find((each) => bareSchema(each) instanceof z.ZodObject || elementOf(each));
  return made ? inside(made) : textFor(bare);
}

function countTexts(schema: z.ZodType): number {
  let texts = 0;
  filled(schema, () => {
    texts += 1;
    return '';
  });
  return Math.max(1, texts);
}

/** One thing again and again between two digits, as many bytes as `size` in JSON. */
function textOf(part: string, size: number): string {
  const bytes = Buffer.byteLength(JSON.stringify(part)) - 2;
  return `1${part.repeat(Math.max(0, Math.floor(size / bytes) - 2))}1`;
}

/** The same as long as a field takes it, where that is less. */
function cutTo(text: string, field: z.ZodType): string {
  const most = field instanceof z.ZodString ? (field.maxLength ?? text.length) : text.length;
  return most < text.length ? `${text.slice(0, most - 1)}1` : text;
}

/** Sends a body, and tells how long it held the event loop at most, in milliseconds of this thread's own work. */
async function heldBy(endpoint: AnyEndpoint, body: string): Promise<number> {
  const path = pathFields(endpoint).reduce(
    (url, field) => url.replace(`{${field}}`, '1'),
    basePath(endpoint) + endpoint.path,
  );
  const bearer = endpoint.access === 'platform' ? server.site().token : token;
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 2);
  const answer = await fetch(server.origin + path, {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
  });
  await answer.arrayBuffer();
  clearInterval(timer);
  look();
  expect(answer.status, path).toBeLessThan(500);
  return longest;
}

it(`no text in any field of a call holds the server up for more than ${LONGEST_HOLD_MS} ms`, {
  timeout: 3_600_000,
}, async () => {
  const told: { held: number; call: string; again: string }[] = [];
  for (const [call, endpoint] of calls) {
    const size = BODY / countTexts(endpoint.input) - 60;
    for (const part of again) {
      const text = textOf(part, size);
      const own: TextFor = (field) => cutTo(text, field);
      for (const textFor of [() => text, own])
        told.push({
          held: await heldBy(endpoint, JSON.stringify(filled(endpoint.input, textFor))),
          call,
          again: part,
        });
    }
  }
  const worst = told.toSorted((one, other) => other.held - one.held);
  console.log(`${calls.length} calls, ${told.length} bodies; the longest holds:`, worst.slice(0, 5));
  expect(worst[0]?.held).toBeLessThan(LONGEST_HOLD_MS);
});
