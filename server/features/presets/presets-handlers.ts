import { handlers } from '#server/http/handler.ts';
import { dayOf, momentOf } from '#server/platform-days.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import type { At } from '../games/current-phase.ts';
import { firstPhase } from '../games/first-phase.ts';
import { installPreset } from './install-preset.ts';
import type { Preset } from './preset.ts';
import { presets } from './registry.ts';

function phaseWord(preset: Preset, at: At): string {
  if (preset.phaseRule === 'RUNNING')
    return '，期号从 1 起连续编号；采集官方结果之前，请用“更新期号”改为官方现在的期号';
  if (preset.phaseRule !== 'YEARLY') return '';
  return `，当前期号按开奖日程推算为 ${firstPhase(preset, at)}，与官方不同时（如曾休市）请“更新期号”`;
}

/** The zone whose clocks the betting times of all presets are told by. */
const PRESET_ZONE = 'Asia/Shanghai';

/** Where the platform's clocks show another time than those of the presets, by how much: players would bet on what is drawn already. */
function zoneWord({ now, timeZone }: At): string {
  const noon = `${dayOf(now.getTime() / 1000, timeZone)} 12:00:00`;
  const minutes = Math.round((momentOf(noon, timeZone) - momentOf(noon, PRESET_ZONE)) / 60);
  if (minutes === 0) return '';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const apart = hours === 0 ? `${rest} 分钟` : rest === 0 ? `${hours} 小时` : `${hours} 小时 ${rest} 分钟`;
  return `投注时间是北京时间的钟点，平台时区 ${timeZone} 比北京时间${minutes > 0 ? '慢' : '快'} ${apart}：启用之前请改为平台时区的时间，否则开奖之后仍可投注`;
}

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
    const ofZone = zoneWord(at);
    say(`新增成功${phaseWord(preset, at)}${ofZone && `。${ofZone}`}`);
    remark({ targetId: id, after: { id, key } });
    return id;
  },
});
