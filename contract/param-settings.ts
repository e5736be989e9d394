import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { filters, flag, id, sorts, text } from './fields.ts';
import { seenVersion, version } from './named-fields.ts';
import { seeded } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '系统参数';

const screen = '/main/system/params-setting';

const fields = {
  title: seeded(text('参数名称', { max: 100 })),
  key: text('参数键', { max: 100 }),
  value: text('参数值', { min: 0, max: 4000 }),
};

/**
 * A system parameter. `key` is unique; `value` is text that whoever reads the parameter understands. One that the system reads keeps its key, and
 * is not deleted.
 */
export const ParamSetting = z.object({
  id: id(),
  version,
  ...fields,
  system: flag('用途', ['系统使用', '自定']),
});
export type ParamSetting = z.infer<typeof ParamSetting>;

export const listParamSettings = query('POST /system/paramsSetting/list', {
  summary: '查询系统参数',
  body: 'form',
  input: filters({ sort: sorts('title', 'key') }),
  output: z.array(ParamSetting),
  access: granted(screen),
});

export const addParamSetting = command('POST /system/paramsSetting/add', {
  effect: 'add',
  summary: '新增系统参数',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen),
});

export const updateParamSetting = command('POST /system/paramsSetting/update', {
  effect: 'update',
  summary: '编辑系统参数',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...fields }),
  output: id(),
  access: granted(screen),
  edits: ParamSetting.omit({ system: true }),
  stepUp: { when: ({ key }) => key.startsWith('security.') },
  approval: { when: 'approvalParameters', by: 'approval:release:access' },
});

export const deleteParamSetting = command('GET /system/paramsSetting/deleteById/{id}', {
  effect: 'delete',
  summary: '删除系统参数',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});
