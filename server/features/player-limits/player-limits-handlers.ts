import type { PlayerLimit } from '#contract/player-limits.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { exclude, findKeptFrom, forgetExclusion } from './exclusions.ts';
import { playerLimits, setLimit } from './limit-store.ts';

const sentence = ({ nextTime }: PlayerLimit) =>
  nextTime === null ? '限额已生效' : `限额调高或取消将于 ${nextTime} 生效`;

export const playerLimitsHandlers = handlers({
  listPlayerLimits: ({ db }, { userId }) => playerLimits(db, userId),

  setPlayerLimit: async ({ db, remark, say }, { reason: _reason, ...wanted }) => {
    remark({ targetId: wanted.userId });
    const limit = await setLimit(db, wanted);
    say(sentence(limit));
    return limit;
  },
  liftExclusion: async ({ db, remark }, { userId }) => {
    remark({ targetId: userId });
    await forgetExclusion(db, userId);
    return true as const;
  },

  getPlayerState: async ({ db }, { id }) => {
    const kept = await findKeptFrom(db, id);
    if (!kept) throw new Refusal('recordNotFound');
    return { ...kept, limits: await playerLimits(db, id) };
  },
  setOwnLimit: async ({ db, remark }, { id: userId, ...wanted }) => {
    remark({ targetId: userId });
    return setLimit(db, { userId, ...wanted });
  },
  excludeOneself: async ({ db, remark }, { id, excludedUntil }) => {
    remark({ targetId: id });
    await exclude(db, id, excludedUntil);
    return true as const;
  },
});
