import { Secret, TOTP } from 'otpauth';
import type { GoogleKey } from '#contract/operators.ts';

const STEP_SECONDS = 30;
const ISSUER = '彩票运营后台';

const totpOf = (secret: string, userName = '') =>
  new TOTP({
    issuer: ISSUER,
    label: userName,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  });

/** A new secret for an authenticator: 160 bits, in base 32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** A fresh key for an authenticator, with what its picture holds and the picture as a data URL. */
export async function drawnKey(userName: string): Promise<GoogleKey> {
  const secret = newSecret();
  const url = otpauthUrl(secret, userName);
  const { toDataURL } = await import('qrcode');
  return { secret, otpauthUrl: url, qrCode: await toDataURL(url, { margin: 1, width: 240 }) };
}

/** What the authenticator's QR picture holds. */
export const otpauthUrl = (secret: string, userName: string): string => totpOf(secret, userName).toString();

/**
 * The time step a code belongs to (RFC 6238, one step either way), when that step's code was not taken before;
 * nothing for a wrong or spent code.
 */
export function acceptedStep(
  secret: string,
  code: string,
  now: Date,
  takenSteps: readonly number[],
): number | undefined {
  // Authenticators show a code in two halves, and an input method may write it in wide digits.
  const token = code.normalize('NFKC').replace(/[\s-]/g, '');
  // The library compares bytes: six digits of another script would make it throw.
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: 1 });
  if (delta === null) return undefined;
  const step = Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta;
  return takenSteps.includes(step) ? undefined : step;
}

/** The steps worth remembering once `step` was taken: older ones are no longer accepted anyway. */
export const rememberStep = (takenSteps: readonly number[], step: number): number[] => [
  ...takenSteps.filter((taken) => taken >= step - 3),
  step,
];
