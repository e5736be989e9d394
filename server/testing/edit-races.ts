import fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { contract, type EndpointName } from '#contract/all.ts';
import { type AnyEndpoint, pathFields } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { addedRow } from './added-row.ts';
import { meeting } from './meeting.ts';
import type { TestClient } from './test-client.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** The calls that edit a row, each with those that add and delete one. */
export const edits = Object.entries<AnyEndpoint>(contract)
  .filter(([, { edits, effect }]) => edits && effect === 'update')
  .map(([name]) => name as EndpointName);

const other = (edit: EndpointName, verb: 'add' | 'delete') => edit.replace(/^update/, verb) as EndpointName;

/** The table of the rows that a call edits. */
const tableEditedBy = (edit: EndpointName): string =>
  edit === 'updatePlayWaySubCategory'
    ? 'play_way_category'
    : edit
        .replace(/^update/, '')
        .replace(/(?!^)[A-Z]/g, '_$&')
        .toLowerCase();

interface Act {
  readonly kind: 'edit' | 'edit seen' | 'delete';
  readonly value: string;
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.oneof(
    { weight: 9, arbitrary: fc.constant('edit' as const) },
    { weight: 9, arbitrary: fc.constant('edit seen' as const) },
    { weight: 2, arbitrary: fc.constant('delete' as const) },
  ),
  value: fc.integer({ min: 1, max: 1e9 }).map((number) => `r${number}`),
});
const round = fc.tuple(act, act);

interface Line {
  call: string;
  outcome: string;
  msg: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

interface Counts {
  successes: number;
  refusals: number;
  met: number;
}

/** Two servers on one database, and an operator at each who changes what the other one changes. */
export interface EditRaces {
  /**
   * Lets both write at once on rows of a noun, again and again, and looks at what the record says of it. `met`: in how many rounds both
   * stood in line for the row before either had it.
   */
  run(edit: EndpointName, rounds: number, seed: number): Promise<Counts>;
  close(): Promise<void>;
}

/** A field that takes any word, or where there is none any share, with what is to be entered there. */
function freely(endpoint: AnyEndpoint, value: string): Record<string, string> {
  const fields = Object.entries(shapeOf(endpoint.input));
  const [name] = fields.find(
    ([, schema]) =>
      ['text', 'longText'].includes(metaOf(schema).kind ?? '') && schema.safeParse(value).success,
  ) ?? [undefined];
  if (name !== undefined) return { [name]: value };
  const [share] = fields.find(([, schema]) => ['decimal', 'money'].includes(metaOf(schema).kind ?? '')) ?? [];
  if (share === undefined) throw new Error(`${endpoint.path} has no field that takes much`);
  return { [share]: `0.${value.slice(1, 5)}` };
}

async function linesOf(server: TestServer, calls: readonly string[], id: number): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select call, outcome, msg, before, after from change_record
    where call = any(${[...calls]}) and "targetId" = ${String(id)} order by id`.execute(server.db);
  return rows;
}

/** Odds are added several at once, which the record tells of their play way. */
const isToldWhenAdded = (edit: EndpointName): boolean => edit !== 'updateOdds';

/** The part of a row that another one knows too: a deleted one may tell what went with it. */
const likewise = (row: Line['before'], model: Line['after']) =>
  row && Object.fromEntries(Object.entries(row).filter(([name]) => name in (model ?? {})));

/** Throws unless each success took over what the one before it left, and none came after the end. */
function checkChain(edit: EndpointName, lines: readonly Line[]): void {
  const done = lines.filter(({ outcome }) => outcome === 'SUCCESS');
  if (isToldWhenAdded(edit)) expect(done[0]).toMatchObject({ call: other(edit, 'add'), before: null });
  for (const [place, { call, before, after }] of done.entries()) {
    const last = done[place - 1];
    if (!last) continue;
    expect(last.call, 'nothing succeeds on a row that is gone').not.toBe(other(edit, 'delete'));
    expect(likewise(before, last.after), `${call} after ${last.call}`).toEqual(last.after);
    expect(after === null).toBe(call === other(edit, 'delete'));
  }
}

interface Writing {
  readonly edit: EndpointName;
  readonly id: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly seen: number;
}

async function write(client: TestClient, { edit, id, fields, seen }: Writing, { kind, value }: Act) {
  // What is never deleted is edited once more instead.
  if (kind === 'delete' && other(edit, 'delete') in contract)
    return client.call(contract[other(edit, 'delete')], { id });
  const endpoint = contract[edit] as AnyEndpoint;
  const version = kind === 'edit seen' ? { version: seen } : {};
  const input = { ...fields, ...freely(endpoint, value), id, ...version };
  const answer = await client.call(endpoint, input);
  const { success, data } = answer.envelope;
  if (!success && kind === 'edit seen' && data) {
    // Only the stale one carries data here, and the row in it is the whole of what is declared.
    const { current } = data as { current: { version: number } };
    expect(endpoint.edits?.strict().parse(current)).toEqual(current);
    expect(current.version).toBeGreaterThan(seen);
  }
  return answer;
}

export async function startEditRaces(): Promise<EditRaces> {
  const one = await startTestServer();
  const two = await startTestServer({}, one.database);
  const [first, second] = [await one.admin(), await two.admin()];
  const fresh = await addedRow(one.db, first);

  async function run(edit: EndpointName, rounds: number, seed: number) {
    const endpoint = contract[edit] as AnyEndpoint;
    const accepted = Object.keys(shapeOf(endpoint.input));
    expect(pathFields(endpoint)).toEqual([]);
    let row: { id: number; fields: Record<string, unknown> } | undefined;
    let seen = 1;
    const counts: Counts = { successes: 0, refusals: 0, met: 0 };
    const ids: number[] = [];
    for (const acts of fc.sample(round, { seed, numRuns: rounds })) {
      if (!row) {
        row = await fresh(edit);
        ids.push(row.id);
        seen = 1;
      }
      const fields = Object.fromEntries(
        Object.entries(row.fields).filter(([name]) => accepted.includes(name)),
      );
      const writing = { edit, id: row.id, fields, seen };
      const { answers, met } = await meeting(one.db, tableEditedBy(edit), row.id, () => [
        write(first, writing, acts[0]),
        write(second, writing, acts[1]),
      ]);
      counts.met += met ? 1 : 0;
      for (const { envelope } of answers) {
        if (envelope.success) counts.successes += 1;
        else {
          counts.refusals += 1;
          expect(['记录不存在', '该记录已被其他人修改，请核对后再提交']).toContain(envelope.msg);
        }
      }
      const last = (await linesOf(one, [edit, other(edit, 'delete')], row.id)).findLast(
        ({ outcome }) => outcome === 'SUCCESS',
      );
      if (last?.call === other(edit, 'delete')) row = undefined;
      else seen = Number(last?.after?.version ?? seen);
    }
    const told = [...(isToldWhenAdded(edit) ? [other(edit, 'add')] : []), edit, other(edit, 'delete')];
    for (const id of ids) checkChain(edit, await linesOf(one, told, id));
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from change_record where outcome = 'SUCCESS' and call = any(${[edit, other(edit, 'delete')]})`.execute(
      one.db,
    );
    expect(rows[0]?.n).toBe(counts.successes);
    return counts;
  }

  return {
    run,
    close: async () => {
      await two.close();
      await one.close();
    },
  };
}
