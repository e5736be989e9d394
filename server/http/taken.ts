import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { Refusal } from '#server/refusal.ts';

/** The call that an error broke, and its input. */
export interface FailedCall {
  readonly endpoint: AnyEndpoint;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Taken {
  readonly field: string;
  /** What is taken, where the field's own label does not say it best; `{value}` is what was entered. */
  readonly what?: string;
}

/** By the name of the unique constraint or index: the field to change. */
const takenBy: Readonly<Record<string, Taken>> = {
  news_category_name_key: { field: 'name' },
  game_category_name_key: { field: 'name' },
  game_name_key: { field: 'name' },
  game_number_gameId_number_key: { field: 'number', what: '号码 {value} ' },
  bet_latitude_gameId_name_key: { field: 'name' },
  play_way_category_gameId_parentCategoryId_name_key: { field: 'name', what: '分类名称' },
  play_way_subCategoryId_name_key: { field: 'name' },
  spider_gameId_name_key: { field: 'name' },
  role_name_key: { field: 'name' },
  menu_path: { field: 'path' },
  operator_user_name: { field: 'userName' },
  param_setting_key_key: { field: 'key' },
  bet_limit_of: { field: 'gameId', what: '该范围的限额' },
  agent_pkey: { field: 'id' },
  rebate_rate_from: { field: 'validFrom', what: '该等级与分类自此日起的比例' },
};

const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint_name' in error && typeof error.constraint_name === 'string'
    ? error.constraint_name
    : '';

/** What a broken unique constraint means to whoever made the call; nothing where the call has no such field. */
export function takenRefusal(error: unknown, call: FailedCall | undefined): Refusal | undefined {
  const taken = takenBy[constraintOf(error)];
  const schema = taken && call && shapeOf(call.endpoint.input)[taken.field];
  if (!schema) return undefined;
  const { field, what = metaOf(schema).title ?? '' } = taken;
  return new Refusal('taken', {
    field,
    values: { what: what.replace('{value}', String(call.input[field])) },
  });
}
