import { screenName } from '../console/screen-names.ts';

/** A noun by all the names it goes by. */
export interface Named {
  /** As in `announcement`. */
  readonly name: string;
  readonly plural: string;
  /** As in `Announcement` and `Announcements`. */
  readonly type: string;
  readonly types: string;
  /** Of its files: `announcements`. */
  readonly file: string;
  readonly table: string;
  readonly title: string;
  /** Where its screen is, and what the console looks for there. */
  readonly path: string;
  readonly screen: string;
  readonly migration: string;
}

/** The plural of a name that has a regular one. */
export const pluralOf = (name: string): string =>
  /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}${/(s|x|z|ch|sh)$/.test(name) ? 'es' : 's'}`;
const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
const kebabOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function namesOf({
  name,
  plural,
  title,
  path,
  migration,
}: Pick<Named, 'name' | 'plural' | 'title' | 'path' | 'migration'>): Named {
  return {
    ...{ name, title, path, plural, migration, type: capital(name), types: capital(plural) },
    file: kebabOf(plural),
    table: kebabOf(name).replaceAll('-', '_'),
    screen: screenName(path),
  };
}

const wire = ({ path, name }: Named): string => path.replace(/^\/main(?=\/)/, '').replace(/[^/]+$/, name);

const contract = (named: Named): string => {
  const { type, types, title, path, table: rows } = named;
  return `import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { filters, flag, id, optional, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '${title}';

const kept = { rows: '${rows}', access: granted('${path}') } as const;
const title = text('标题', { max: 100 });
const enabled = flag('状态', ['启用', '停用']);

export const ${type} = z.object({ id: id(), version, title, enabled });
export type ${type} = z.infer<typeof ${type}>;

export const list${types} = query('POST ${wire(named)}/list', {
  ...kept,
  summary: '查询${title}',
  body: 'form',
  input: filters({ title }),
  output: z.array(${type}),
});

export const add${type} = command('POST ${wire(named)}/add', {
  ...kept,
  summary: '新增${title}',
  effect: 'add',
  body: 'json',
  input: z.object({ title, enabled: enabled.default(true) }),
  output: id(),
  imports: true,
});

export const update${type} = command('POST ${wire(named)}/update', {
  ...kept,
  summary: '编辑${title}',
  effect: 'update',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, title, enabled: optional(enabled) }),
  output: id(),
  edits: ${type},
});

export const delete${type} = command('GET ${wire(named)}/deleteById/{id}', {
  ...kept,
  summary: '删除${title}',
  effect: 'delete',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
});
`;
};

const table = ({ table: name }: Named): string => `create table ${name} (
  id bigint generated always as identity primary key,
  title text not null,
  enabled boolean not null default true,
  version integer not null default 1
);
create trigger ${name}_version before update on ${name} for each row execute function grow_version();
`;

const screenOf = ({ name, type, types, title, file, screen }: Named): string => `import {
  add${type},
  delete${type},
  list${types},
  type ${type},
  update${type},
} from '#contract/${file}.ts';
import { DeleteButton, FormButton, ImportButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const fields = ['title', 'enabled'] as const;

const actions = (${name}: ${type}) => (
  <>
    <FormButton endpoint={update${type}} fields={fields} initial={${name}}>
      编辑
    </FormButton>
    <DeleteButton endpoint={delete${type}} input={{ id: ${name}.id }} what={\`${title}“\${${name}.title}”\`} />
  </>
);

export function ${screen}() {
  return (
    <ListScreen
      endpoint={list${types}}
      search={['title']}
      columns={['id', ...fields]}
      toolbar={
        <>
          <FormButton endpoint={add${type}} fields={fields}>
            新增
          </FormButton>
          <ImportButton endpoint={add${type}} />
        </>
      }
      rowActions={actions}
    />
  );
}
`;

const test = ({
  type,
  types,
  plural,
  file,
}: Named): string => `import { afterAll, beforeAll, expect, it } from 'vitest';
import * as ${plural} from '#contract/${file}.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('are listed, searched, added, edited and deleted', async () => {
  const admin = await server.admin();
  const id = (await admin.call(${plural}.add${type}, { title: '第一条' })).envelope.data ?? 0;
  await admin.call(${plural}.add${type}, { title: '第二条', enabled: false });
  const listed = async (title = '') =>
    (await admin.call(${plural}.list${types}, { title })).envelope.data?.map((row) => \`\${row.title} \${row.enabled}\`);
  expect(await listed()).toEqual(['第二条 false', '第一条 true']);
  await admin.call(${plural}.update${type}, { id, version: 1, title: '改过', enabled: false });
  expect(await listed('改')).toEqual(['改过 false']);
  const nameless = await admin.call(${plural}.add${type}, { title: ' ' });
  expect(nameless.envelope.data).toEqual({ errors: { title: '标题不能为空' } });
  expect((await admin.call(${plural}.delete${type}, { id })).envelope.msg).toBe('删除成功');
  expect(await listed()).toEqual(['第二条 false']);
});
`;

/** The files of a noun with a title and a flag, to be changed into what it is. */
export const filesOf = (named: Named): Readonly<Record<string, string>> => {
  const { file, screen, migration } = named;
  return {
    [`contract/${file}.ts`]: contract(named),
    [`server/db/migrations/${migration}-${file}.sql`]: table(named),
    [`server/features/${file}/${file}.test.ts`]: test(named),
    [`console/screens/${file}/${screen}.tsx`]: screenOf(named),
  };
};

/** Its calls, as in `POST /news/announcement/list`. */
export const callsOf = (named: Named): string[] =>
  [...contract(named).matchAll(/'((?:GET|POST) [^']+)'/g)].map(([, call = '']) => call);
