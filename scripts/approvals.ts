import { updateParamSetting } from '#contract/param-settings.ts';
import type { Db } from '#server/db/database.ts';
import { changed, watched } from '#server/db/rows.ts';
import { recordedRows } from '#server/http/noted-rows.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, withDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';
import { recordCommand } from './record-command.ts';
import { stop } from './stop.ts';

// `npm run approvals off` lets calls take effect without a second operator again, when too few are left who could release them. It takes
// the server's environment, may run while the server works, and leaves its line in the change record.

const key = 'approval.enabled';

/** False when they were off already. */
async function turnOff(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const rows = watched(tx);
    const param = await tx
      .selectFrom('param_setting')
      .select(['id', 'title', 'value'])
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    if (param.value === 'false') return false;
    await changed(tx, 'param_setting', { id: param.id }, { value: 'false' });
    await recordCommand(tx, {
      endpoint: updateParamSetting,
      call: 'updateParamSetting',
      input: { id: param.id, title: param.title, key, value: 'false' },
      msg: '已关闭复核',
      ...recordedRows(rows),
    });
    return true;
  });
}

if (commandWords('approvals off', 1)[0] !== 'off') stop('用法：npm run approvals off');
await tellPlainly(async () => {
  const config = configWithoutSecret(process.env);
  const done = await withDatabase(config, { applicationName: 'approvals' }, turnOff);
  console.log(done ? '复核已关闭；尚未放行的操作仍可由他人放行或由提交人撤回' : '复核本来就没有开启');
});
