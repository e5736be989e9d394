/**
 * Minutes from one attempt to the next. Greylisting servers take a mail a few minutes after its first attempt; an outage
 * of an hour or two is bridged. Codes in mails are stale after that, so a mail is then given up.
 */
const waitsMinutes = [0.5, 1, 2, 5, 10, 30, 60] as const;

/** When to try again after this many attempts failed; nothing when it is time to give up. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const wait = waitsMinutes[attempts - 1];
  return wait === undefined ? null : new Date(now.getTime() + wait * 60_000);
}
