import type { Db } from '#server/db/database.ts';
import { installPreset } from '../presets/install-preset.ts';
import { presets } from '../presets/registry.ts';
import { findSeedValue, rememberSeed } from '../seed-store.ts';

const KEY = 'sample:games';

/** The games of the presets, switched on; once, and never again when they were deleted. */
export async function seedSampleGames(db: Db): Promise<void> {
  if ((await findSeedValue(db, KEY)) !== undefined) return;
  const now = new Date();
  for (const preset of presets)
    await installPreset(db, preset, { name: preset.name, now, status: true, betStatus: true });
  await rememberSeed(db, KEY, now.toISOString());
}
