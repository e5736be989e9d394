import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { parseJson } from '#contract/exact-json.ts';
import { id, metaOf } from '#contract/fields.ts';
import {
  IMPORT_HEADER,
  IMPORT_WITH_HEADER,
  type ImportReport,
  type ImportTemplate,
  importTypes,
  MOST_IMPORT_ROWS,
} from '#contract/imports.ts';
import type { Language } from '#contract/language.ts';
import { shapeOf } from '#contract/row-schema.ts';
import type { Db } from '#server/db/database.ts';
import { type RowNote, watched } from '#server/db/rows.ts';
import { sayingIn } from '#server/exports/saying.ts';
import { importRows } from '#server/imports/import-rows.ts';
import { readCsv } from '#server/imports/read-csv.ts';
import { readWorkbook } from '#server/imports/read-workbook.ts';
import type { Table } from '#server/imports/table.ts';
import { templateOf } from '#server/imports/template.ts';
import { Refusal } from '#server/refusal.ts';
import type { Call, RunnableCall, Services } from './call.ts';
import { referenceRefusal, refusalOf } from './database-failures.ts';
import type { Context } from './handler.ts';
import { checkedInput } from './input.ts';
import { languageOf } from './language.ts';
import { type Answer, success } from './reply.ts';
import { runCommand } from './run-command.ts';
import { queryOn } from './run-query.ts';

/** A request whose body is a table and not the call's own input. */
export const isImport = ({ body }: FastifyRequest): boolean => Buffer.isBuffer(body);

/** The call's handler with checked input. */
type Handle = (context: Context, input: Record<string, unknown>) => Promise<unknown>;

async function tableOf({ body, headers }: FastifyRequest): Promise<{ table: Table; digest: string }> {
  if (!Buffer.isBuffer(body)) throw new Refusal('badRequest');
  const read = headers['content-type']?.startsWith(importTypes.csv) ? readCsv : readWorkbook;
  return { table: await read(body, MOST_IMPORT_ROWS), digest: hash('sha256', body) };
}

/** The header's words, as they came. */
function givenText({ headers }: FastifyRequest): object {
  const text = headers[IMPORT_WITH_HEADER];
  if (text === undefined) return {};
  try {
    const given = parseJson(decodeURIComponent(String(text)));
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  } catch {
    // Told below.
  }
  throw new Refusal('badRequest');
}

/** Fields of the call, and those that limit which rows a column may name: of them an import has whatever it wants said of all rows. */
function fieldsFor({ input }: AnyEndpoint): Record<string, z.ZodType> {
  const own = shapeOf(input);
  const limits = Object.values(own).flatMap((schema) => metaOf(schema).of ?? []);
  return { ...Object.fromEntries(limits.map((name) => [name, id()])), ...own };
}

/** What the header says is the same in all rows; what it says of nothing known is left out. Throws `invalid`. */
function givenIn(endpoint: AnyEndpoint, request: FastifyRequest): Record<string, unknown> {
  const given = new Map(Object.entries(givenText(request)));
  const known = Object.entries(fieldsFor(endpoint)).filter(([name]) => given.has(name));
  const raw = Object.fromEntries(known.map(([name]) => [name, given.get(name)]));
  checkedInput({ ...endpoint, input: z.object(Object.fromEntries(known)) }, raw);
  return raw;
}

const WHOLE_ROW = '';

const ownFields = (endpoint: AnyEndpoint, raw: object): Record<string, unknown> => {
  const known = Object.keys(shapeOf(endpoint.input));
  return Object.fromEntries(Object.entries(raw).filter(([name]) => known.includes(name)));
};

const sentencesOf = (refusal: Refusal) => refusal.errors ?? { [WHOLE_ROW]: refusal.message };

/** What is wrong with a row by itself, by field. */
function checkRow(endpoint: AnyEndpoint, raw: object) {
  try {
    checkedInput(endpoint, ownFields(endpoint, raw));
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return sentencesOf(error);
    throw error;
  }
}

/** Does the call for one row; what it is refused for, by field. */
async function runRow(handle: Handle, context: Context, endpoint: AnyEndpoint, raw: object) {
  const input = ownFields(endpoint, raw);
  try {
    await handle(context, checkedInput(endpoint, input) as Record<string, unknown>);
    return undefined;
  } catch (error) {
    const call = { endpoint, input };
    const refusal = refusalOf(error, call) ?? (await brokenReference(context.db, call, error));
    if (!refusal || refusal.status >= 500) throw error;
    return sentencesOf(refusal);
  }
}

/** The catalogue of keys is read after what broke the transaction is undone. */
async function brokenReference(db: Db, call: Pick<Call, 'endpoint' | 'input'>, error: unknown) {
  return referenceRefusal(db, call, error).catch(() => new Refusal('referenced'));
}

/** Thrown to undo what a check has done. */
class Checked extends Error {}

async function template(
  { db }: Services,
  endpoint: AnyEndpoint,
  given: Record<string, unknown>,
  language: Language,
): Promise<Answer> {
  const workbook = (await templateOf(db, endpoint, given, sayingIn(language))).toString('base64');
  return success({ workbook } satisfies ImportTemplate, null);
}

/** What becomes of rows, in the columns that the call tells. */
function changesIn({ imports }: AnyEndpoint, notes: readonly RowNote[]): Pick<ImportReport, 'changes'> {
  if (typeof imports !== 'object') return {};
  const told = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => imports.tells.includes(name)));
  const changes = notes.flatMap(({ before, after }) =>
    after ? [{ before: before ? told(before) : null, after: told(after) }] : [],
  );
  return { changes };
}

/** A table on its way through its call: what it runs, and what is known of it since. */
interface Running {
  readonly services: Services;
  readonly call: Call;
  readonly given: Record<string, unknown>;
  /** Tells the file from any other. */
  readonly digest: string;
  /** Runs every row. */
  readonly runAll: (context: Context) => Promise<ImportReport>;
}

/** Runs all rows and undoes them. */
async function checkTable({ services, call, given, runAll }: Running): Promise<Answer> {
  let report: ImportReport = { rows: 0, faults: [] };
  const run = async (context: Context) => {
    report = await runAll(context);
    return report;
  };
  const checking: RunnableCall = { ...call, raw: given, recorded: false, run };
  await services.db
    .transaction()
    .execute(async (tx) => {
      const notes = watched(tx);
      await queryOn(services, checking, tx);
      // Where a row was refused, others were undone and done again.
      if (report.faults.length === 0) report = { ...report, ...changesIn(call.endpoint, notes) };
      throw new Checked();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Checked)) throw error;
    });
  return success(report, null);
}

/** Keeps all rows with one line of the record, or none. */
function keepTable({ services, call, given, digest, runAll }: Running): Promise<Answer> {
  const run = async (context: Context) => {
    const report = await runAll(context);
    const { rows, faults } = report;
    // Without the faults nobody could mend the table.
    if (faults.length > 0)
      throw new Refusal('importFaulty', { values: { count: faults.length }, told: report });
    context.say(`已导入 ${rows} 行`);
    return report;
  };
  const keeping = { ...call, input: given, table: digest, raw: given, recorded: true, run };
  return runCommand(services, keeping, false);
}

/** What a row's call tells the frame, where rows are many: nothing but what the record is of, if that is the same for all of them. */
function hearing(context: Context) {
  const targets = new Set<string | number | undefined>();
  const quiet: Context = {
    ...context,
    say: () => undefined,
    remark: ({ targetId }) => targets.add(targetId),
  };
  const tell = () => {
    const [targetId] = targets;
    if (targets.size === 1 && targetId !== undefined) context.remark({ targetId });
  };
  return { quiet, tell };
}

/** Checks or imports a table of rows by the call that adds one: all of them or none. */
export async function runImport(
  services: Services,
  call: Call,
  handle: Handle,
  request: FastifyRequest,
): Promise<Answer> {
  const { endpoint } = call;
  const mode = request.headers[IMPORT_HEADER];
  if (!endpoint.imports) throw new Refusal('badRequest');
  const given = givenIn(endpoint, request);
  if (mode === 'template') return template(services, endpoint, given, languageOf(request));
  if (mode !== 'check' && mode !== 'keep') throw new Refusal('badRequest');
  // What waits for a second operator is one call with its own input, which a table is not.
  if (endpoint.approval && (await services.approvals.enforced())) throw new Refusal('importNeedsApproval');
  const { table, digest } = await tableOf(request);
  const runAll = async (context: Context): Promise<ImportReport> => {
    const { quiet, tell } = hearing(context);
    const run = (input: object) => runRow(handle, quiet, endpoint, input);
    const check = (input: object) => checkRow(endpoint, input);
    const report = await importRows({ endpoint, table, given, db: context.db, check, run });
    tell();
    return report;
  };
  const running = { services, call, given, digest, runAll };
  return mode === 'check' ? checkTable(running) : keepTable(running);
}
