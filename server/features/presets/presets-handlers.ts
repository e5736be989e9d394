import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { installPreset } from './install-preset.ts';
import { presets } from './registry.ts';

export const presetsHandlers = handlers({
  listGamePresets: () =>
    presets.map(({ key, name, gameCategory, introduce }) => ({ key, name, gameCategory, introduce })),

  addGamePreset: async ({ db, now, remark }, { key, name }) => {
    const preset = presets.find((each) => each.key === key);
    if (!preset) throw new Refusal('invalid', { field: 'key', values: { message: '没有这个模板' } });
    const switches = { status: false, betStatus: false };
    const id = await installPreset(db, preset, { name: name ?? preset.name, now, ...switches });
    if (id === undefined) throw new Refusal('taken', { field: 'name', values: { what: '游戏名称' } });
    remark({ targetId: id, after: { id, key } });
    return id;
  },
});
