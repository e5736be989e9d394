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
  /** Where its screen is, and the folder of that. */
  readonly path: string;
  readonly folder: string;
  readonly migration: string;
}

const wire = ({ path, name }: Named): string => path.replace(/^\/main(?=\/)/, '').replace(/[^/]+$/, name);

const contract = (named: Named): string => {
  const { type, types, title, path } = named;
  return `import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { filters, flag, id, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';

const screen = '${path}';
const title = text('标题', { max: 100 });
const fields = { title, enabled: flag('状态', ['启用', '停用']).default(true) };

export const ${type} = z.object({ id: id(), version, ...fields });
export type ${type} = z.infer<typeof ${type}>;

export const list${types} = query('POST ${wire(named)}/list', {
  summary: '查询${title}',
  body: 'form',
  input: filters({ title }),
  output: z.array(${type}),
  access: granted(screen),
});

export const add${type} = command('POST ${wire(named)}/add', {
  summary: '新增${title}',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen),
  imports: true,
});

export const update${type} = command('POST ${wire(named)}/update', {
  summary: '编辑${title}',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  access: granted(screen),
  edits: ${type},
});

export const delete${type} = command('GET ${wire(named)}/deleteById/{id}', {
  summary: '删除${title}',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
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

const handlers = ({
  type,
  types,
  plural,
  table: name,
}: Named): string => `import { added, changed, removed } from '#server/db/rows.ts';
import { containing } from '#server/db/search.ts';
import { handlers } from '#server/http/handler.ts';

export const ${plural}Handlers = handlers({
  list${types}: ({ db }, { title }) => {
    const all = db.selectFrom('${name}').selectAll().orderBy('id', 'desc');
    return (title === undefined ? all : all.where('title', 'ilike', containing(title))).execute();
  },

  add${type}: async ({ db }, fields) => (await added(db, '${name}', fields)).id,

  update${type}: async ({ db }, { id, version, ...fields }) =>
    (await changed(db, '${name}', { id, version }, fields)).id,

  delete${type}: async ({ db }, { id }) => {
    await removed(db, '${name}', id);
    return true as const;
  },
});
`;

const screen = ({ name, type, types, title, file }: Named): string => `import {
  add${type},
  delete${type},
  list${types},
  type ${type},
  update${type},
} from '#contract/${file}.ts';
import { DeleteButton, FormButton } from '../../kit/form/index.ts';
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

export function ${type}Screen() {
  return (
    <ListScreen
      endpoint={list${types}}
      search={['title']}
      columns={['id', ...fields]}
      toolbar={
        <FormButton endpoint={add${type}} fields={fields}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
`;

const test = ({
  type,
  types,
  file,
}: Named): string => `import { afterAll, beforeAll, expect, it } from 'vitest';
import { add${type}, delete${type}, list${types}, update${type} } from '#contract/${file}.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('are listed, searched, added, edited and deleted', async () => {
  const admin = await server.admin();
  const id = (await admin.call(add${type}, { title: '第一条' })).envelope.data ?? 0;
  await admin.call(add${type}, { title: '第二条', enabled: false });
  const titles = async (title = '') =>
    (await admin.call(list${types}, { title })).envelope.data?.map((row) => [row.title, row.enabled]);
  expect(await titles()).toEqual([['第二条', false], ['第一条', true]]);
  await admin.call(update${type}, { id, version: 1, title: '改过', enabled: false });
  expect(await titles('改')).toEqual([['改过', false]]);
  expect((await admin.call(add${type}, { title: ' ' })).envelope.data).toEqual({ errors: { title: '标题不能为空' } });
  expect((await admin.call(delete${type}, { id })).envelope.msg).toBe('删除成功');
  expect(await titles()).toEqual([['第二条', false]]);
});
`;

/** The files of a noun with a title and a flag, to be changed into what it is. */
export const filesOf = (named: Named): Readonly<Record<string, string>> => {
  const { file, folder, type, migration } = named;
  const feature = `server/features/${file}/${file}`;
  return {
    [`contract/${file}.ts`]: contract(named),
    [`server/db/migrations/${migration}-${file}.sql`]: table(named),
    [`${feature}-handlers.ts`]: handlers(named),
    [`${feature}.test.ts`]: test(named),
    [`console/screens/${folder}/${type}Screen.tsx`]: screen(named),
  };
};
