import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import type { screens } from '#contract/screens.ts';
import type { Chapter } from './chapter.ts';

type Screen = Pick<(typeof screens)[number], 'path' | 'title'>;

const words = { add: '新增', update: '编辑', delete: '删除' } as const;
/** Fields that tell an operator nothing: whose number it is, and how much of a list is wanted. */
const silent = ['id', 'version', 'sort', 'currentPage', 'pageSize'];

const labels = (schema: AnyEndpoint['input']): string =>
  Object.entries(shapeOf(schema))
    .filter(([name]) => !silent.includes(name))
    .flatMap(([, field]) => metaOf(field).title ?? [])
    .join('、');

/** What the contract alone says of a screen: what its rows have, what they are searched by, and what can be done. */
export function describedBy({ path, title }: Screen): Chapter {
  const calls = Object.values<AnyEndpoint>(contract).filter(
    ({ access }) => typeof access === 'object' && access.screens[0] === path,
  );
  const list = calls.find(({ kind }) => kind === 'query');
  const searched = list ? labels(list.input) : '';
  const done = [
    ...calls.flatMap(({ effect = 'do' }) => (effect === 'do' ? [] : [words[effect]])),
    ...(calls.some(({ imports }) => imports) ? ['导入'] : []),
  ];
  const lines = [
    ...(list ? [`每行有${labels(rowSchemaOf(list.output))}。`] : []),
    ...(searched === '' ? [] : [`可按${searched}搜索。`]),
    ...(done.length > 0 ? [`可以${[...new Set(done)].join('、')}。`] : []),
  ];
  return { path, title, lines };
}
