import { nextAnchor, takeAnchor } from '#server/features/seals/anchor-store.ts';
import { sendNext, writeToFile } from '#server/features/seals/send-anchors.ts';
import type { Part } from './part.ts';

/** The heads of all seals, taken every so many minutes and sent to where no owner of the database reaches. */
export const anchors: Part = {
  name: 'anchors',
  what: '取封存锚点并发往别处',
  everyMs: 15_000,
  firstMs: 10_000,
  anyClock: true,
  patienceMs: 10 * 60_000,
  run: async ({ db, vault, config, clock }, turn) => {
    const due = await nextAnchor(db);
    if (due !== undefined && due <= clock().getTime()) await takeAnchor(db, vault);
    while (!turn.isStopping() && (await sendNext(db, vault, config)));
    if (config.anchorFile) await writeToFile(db, config.anchorFile);
  },
};
