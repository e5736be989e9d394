import { describe, expect, it } from 'vitest';
import { pageNews } from '#contract/news.ts';
import { exportColumns } from './columns.ts';
import { partsOf } from './parts.ts';

/** Reads a list of so many news with contents so long, and tells the pages that were read of it. */
async function readNews(total: number, length: number) {
  const pages: number[] = [];
  const content = '汉'.repeat(length);
  const read = async (paging: object) => {
    const { currentPage, pageSize } = paging as { currentPage: number; pageSize: number };
    const before = (currentPage - 1) * pageSize;
    const rows = Math.max(0, Math.min(pageSize, total - before));
    pages.push(rows);
    return {
      totalCount: total,
      data: Array.from({ length: rows }, (_, row) => ({ id: before + row, content })),
    };
  };
  const columns = exportColumns(pageNews);
  const list = await partsOf(read, columns, true);
  const ids: unknown[] = [];
  for await (const part of list.parts)
    if ('values' in part)
      for (const values of part.values) ids.push(values[columns.findIndex(({ path }) => path[0] === 'id')]);
  return { pages, ids, total: list.total };
}

describe('a list that is read for a file page by page', () => {
  it('comes whole and once, in few pages where its texts are short', async () => {
    const { pages, ids, total } = await readNews(9_999, 10);
    expect(ids).toEqual(Array.from({ length: 9_999 }, (_, id) => id));
    expect(total).toBe(9_999);
    expect(pages).toEqual([100, 100, 200, 400, 800, 1_600, 3_200, 3_200, 399]);
  });

  it('is never held as more than some megabytes, however long its texts are', async () => {
    const { pages, ids } = await readNews(1_250, 20_000);
    expect(ids).toEqual(Array.from({ length: 1_250 }, (_, id) => id));
    expect(Math.max(...pages)).toBe(100);
  });

  it.each([0, 1, 99, 100, 101, 200, 201])('comes whole where it has %i rows', async (total) => {
    const { ids } = await readNews(total, 1);
    expect(ids).toEqual(Array.from({ length: total }, (_, id) => id));
  });
});
