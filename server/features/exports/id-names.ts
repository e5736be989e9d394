import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

type Names = ReadonlyMap<unknown, string>;

/** Where the name of an id stands that an operator reads in its place, by the label the field has in the contract. */
const sources: Readonly<Record<string, readonly [table: string, column: string]>> = {
  游戏: ['game', 'name'],
  游戏分类: ['game_category', 'name'],
  新闻分类: ['news_category', 'name'],
  投注维度: ['bet_latitude', 'name'],
  玩法分类: ['play_way_category', 'name'],
  玩法子分类: ['play_way_category', 'name'],
  上级分类: ['play_way_category', 'name'],
  上级目录: ['menu', 'title'],
  菜单: ['menu', 'title'],
};

/** Whether ids under this label have names. */
export const hasNames = (label: string): boolean => Object.hasOwn(sources, label);

/** The names of the ids under these labels, as they stand in the transaction of the export. */
export async function namesOf(db: Db, labels: readonly string[]): Promise<ReadonlyMap<string, Names>> {
  const names = new Map<string, Names>();
  for (const label of new Set(labels)) {
    const [table, column] = sources[label] ?? [];
    if (!table || !column) continue;
    const { rows } = await sql<{ id: number; name: string }>`
      select id, ${sql.ref(column)} as name from ${sql.table(table)}`.execute(db);
    names.set(label, new Map(rows.map(({ id, name }) => [id, name])));
  }
  return names;
}
