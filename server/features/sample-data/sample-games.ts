import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { installPreset } from '../presets/install-preset.ts';
import { presets } from '../presets/registry.ts';
import { findSeedValue, rememberSeed } from '../seed-store.ts';
import { installDrawingGame } from './drawing-game.ts';

const KEY = 'sample:games';

/**
 * A game that draws by itself, and the games of the presets, off until somebody gives them a source: plans without one would only
 * come due and stay late. Once, and never again when they were deleted. Gives the id of the one that draws, where it has yet to be planned.
 */
export async function seedSampleGames(db: Db, { timeZone }: Config, now: Date): Promise<number | undefined> {
  if ((await findSeedValue(db, KEY)) !== undefined) return undefined;
  for (const preset of presets)
    await installPreset(db, preset, { name: preset.name, now, timeZone, status: false, betStatus: false });
  const drawing = await installDrawingGame(db, now, timeZone);
  await rememberSeed(db, KEY, now.toISOString());
  return drawing;
}
