import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { installPreset } from '../presets/install-preset.ts';
import { presets } from '../presets/registry.ts';
import { findSeedValue, rememberSeed } from '../seed-store.ts';
import { installDrawingGame } from './drawing-game.ts';

const KEY = 'sample:games';

/** The games of the presets and one that draws by itself, switched on; once, and never again when they were deleted. */
export async function seedSampleGames(db: Db, { timeZone }: Config, now: Date): Promise<void> {
  if ((await findSeedValue(db, KEY)) !== undefined) return;
  for (const preset of presets)
    await installPreset(db, preset, { name: preset.name, now, status: true, betStatus: true });
  await installDrawingGame(db, now, timeZone);
  await rememberSeed(db, KEY, now.toISOString());
}
