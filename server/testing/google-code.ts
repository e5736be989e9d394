import { Secret, TOTP } from 'otpauth';

/** What an operator's phone shows for a Google key; `step` steps of half a minute from now. */
export const codeOf = (secret: string, step = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * 30_000 });
