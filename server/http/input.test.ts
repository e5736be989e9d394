import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { addNews, pageNews } from '#contract/news.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { Refusal } from '#server/refusal.ts';
import { checkedInput } from './input.ts';

const presetsOf = ({ input }: AnyEndpoint): string[] =>
  Object.entries(shapeOf(input)).flatMap(([name, field]) => (field instanceof z.ZodDefault ? [name] : []));
const calls = Object.entries<AnyEndpoint>(contract).filter(([, endpoint]) => presetsOf(endpoint).length > 0);

function faultsOf(endpoint: AnyEndpoint, raw: object): string[] {
  try {
    checkedInput(endpoint, raw);
    return [];
  } catch (error) {
    return error instanceof Refusal ? Object.keys(error.errors ?? {}) : [String(error)];
  }
}

it.each(calls)('%s takes what is empty for what it means where nothing is sent', (_name, endpoint) => {
  const presets = presetsOf(endpoint);
  for (const empty of ['', ' ', null]) {
    const raw = Object.fromEntries(presets.map((name) => [name, empty]));
    expect(faultsOf(endpoint, raw).filter((name) => presets.includes(name))).toEqual([]);
  }
});

it('means the first page, twenty rows and no important news', () => {
  const page = checkedInput(pageNews, { currentPage: '', pageSize: null, categoryId: '' });
  expect(page).toEqual({ currentPage: 1, pageSize: 20 });
  const news = { categoryId: 1, title: '标题', content: '内容' };
  expect(checkedInput(addNews, { ...news, important: '' })).toEqual({ ...news, important: false });
  expect(faultsOf(pageNews, { currentPage: '0', pageSize: 'x' })).toEqual(['currentPage', 'pageSize']);
});
