/** Sleeps until a moment or a word that came since the last sleep. */
export interface AlarmClock {
  wake(): void;
  /** Until this moment of `performance.now()`; tells whether it was woken. */
  sleepUntil(at: number): Promise<boolean>;
}

/** The longest a timer of Node can wait. */
const LONGEST_MS = 2 ** 31 - 1;

export function createAlarmClock(): AlarmClock {
  let isWoken = false;
  let end = () => {};
  return {
    wake: () => {
      isWoken = true;
      end();
    },
    sleepUntil: async (at) => {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(LONGEST_MS, Math.max(0, at - performance.now())));
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const woken = isWoken;
      isWoken = false;
      return woken;
    },
  };
}
