import { handlers } from '#server/http/handler.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { firstPhase } from '../games/first-phase.ts';
import { installPreset } from './install-preset.ts';
import { presets } from './registry.ts';

export const presetsHandlers = handlers({
  listGamePresets: () =>
    presets.map(({ key, name, gameCategory, introduce }) => ({ key, name, gameCategory, introduce })),

  addGamePreset: async ({ db, config, now, say, remark }, { key, name }) => {
    const preset = presets.find((each) => each.key === key);
    if (!preset) throw wrong('key', '没有这个模板');
    const switches = { status: false, betStatus: false };
    const at = { now, timeZone: config.timeZone };
    const id = await installPreset(db, preset, { name: name ?? preset.name, ...at, ...switches });
    if (id === undefined) throw new Refusal('taken', { field: 'name', values: { what: '游戏名称' } });
    if (preset.phaseRule === 'YEARLY')
      say(
        `新增成功，当前期号按开奖日程推算为 ${firstPhase(preset, at)}，与官方不同时（如曾休市）请“更新期号”`,
      );
    if (preset.phaseRule === 'RUNNING')
      say('新增成功，期号从 1 起连续编号；采集官方结果之前，请用“更新期号”改为官方现在的期号');
    remark({ targetId: id, after: { id, key } });
    return id;
  },
});
