import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { type ImportColumn, importColumns, MOST_IMPORT_ROWS } from '#contract/imports.ts';
import { isNamed, nounOf } from '#contract/nouns.ts';
import type { Db } from '#server/db/database.ts';
import { namedRows } from '#server/db/noun-rows.ts';
import type { Say } from '#server/exports/saying.ts';
import { smallWorkbook } from '#server/exports/small-workbook.ts';

/** More names than this nobody looks through in a cell. */
const MOST_NAMES = 50;

/** What may stand in a column of any kind; the first that the column takes is its example. */
const samples = ['1', '0.01', '2030-01-31', '2030-01-31 12:00:00', '12:00:00'];

/** What may stand in a column, where that is no free text: words of a choice, or names of rows. */
async function choicesIn(
  db: Db,
  { schema }: ImportColumn,
  given: Readonly<Record<string, unknown>>,
  say: Say,
): Promise<readonly string[]> {
  const { choices, ref, of } = metaOf(schema);
  if (choices) return Object.values(choices).map((word) => say(word));
  if (!ref || !(isNamed(nounOf(ref)) || ref === 'gameNumber')) return [];
  const limit = of === undefined ? undefined : given[of];
  const rows = await namedRows(db, ref);
  const found = rows.filter(({ find }) => limit === undefined || find[of ?? ''] === String(limit));
  return found.slice(0, MOST_NAMES).map(({ name }) => name);
}

/** An example of what stands in a column; text that need not be there may have a form of its own, and is left out. */
function exampleOf({ label, required, schema }: ImportColumn, choices: readonly string[], say: Say): string {
  if (choices[0] !== undefined) return choices[0];
  if (!required) return '';
  return (
    [say(`示例${label}`, 'server/imports/template.ts'), ...samples].find(
      (text) => schema.safeParse(text).success,
    ) ?? ''
  );
}

/** An empty table to be filled in for a call, as a workbook in the language of `say`, whose second sheet explains each column with an example. */
export async function templateOf(
  db: Db,
  endpoint: AnyEndpoint,
  given: Readonly<Record<string, unknown>>,
  say: Say,
): Promise<Buffer> {
  const columns = importColumns(endpoint, Object.keys(given));
  const choices = await Promise.all(columns.map((column) => choicesIn(db, column, given, say)));
  const labels = columns.map(({ label, required }) => (required ? `${say(label)}*` : say(label)));
  const examples = columns.map((column, place) => exampleOf(column, choices[place] ?? [], say));
  return smallWorkbook(
    { name: say('导入'), head: labels, rows: [], choices, lastRow: MOST_IMPORT_ROWS + 1 },
    {
      name: say('填写说明'),
      head: ['', ...labels],
      rows: [
        [say('是否必填'), ...columns.map(({ required }) => say(required ? '必填' : '可以不填'))],
        [say('可填内容'), ...choices.map((words) => words.join(say('、')))],
        [say('示例'), ...examples],
      ],
    },
  );
}
