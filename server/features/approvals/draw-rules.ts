import type { RowNote } from '#server/db/rows.ts';
import type { ApprovalRule } from '#server/http/handler.ts';

/** What of a source decides results, by its words. */
const deciding: Readonly<Record<string, string>> = {
  ...{ gameId: '游戏', spiderServiceName: '采集器', url: '采集地址', options: '采集选项', headers: '请求头' },
};

/** Why a change of a source may decide a result. One that is switched off, renamed or removed says nothing that it would not have said. */
function sourceDecides({ table, before, after }: RowNote): string | undefined {
  if (table !== 'spider' || !after) return undefined;
  if (!before) return '新增开奖采集一律须复核';
  if (after.enabled && !before.enabled) return '启用开奖采集一律须复核';
  const changed = Object.keys(deciding).find((name) => before[name] !== after[name]);
  return changed && `修改开奖采集的${deciding[changed]}一律须复核`;
}

/** What results come from: a source or local draw that is new, comes into force, or is another one by now. */
export const drawSource: ApprovalRule = async () => async (rows) =>
  rows.map(sourceDecides).find((why) => why !== undefined);

/** Fewer sources that must agree before a result counts. */
export const lessAgreement: ApprovalRule = async () => async (rows) => {
  const game = rows.find(({ table, before }) => table === 'game' && before);
  const [had, has] = [Number(game?.before?.agreeSources), Number(game?.after?.agreeSources)];
  return has < had ? `一致来源数由 ${had} 降为 ${has}` : undefined;
};
