import { execFileSync } from 'node:child_process';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { acceptedStep, newSecret, otpauthUrl, rememberStep } from './one-time-code.ts';

// RFC 6238, appendix B: SHA-1, the ASCII secret 12345678901234567890, the last six of the eight digits.
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const rfcSecret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;

const oathtool = (() => {
  try {
    execFileSync('oathtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('one-time codes', () => {
  it.each(vectors)('accepts the RFC 6238 vector at %i s', (seconds, code) => {
    expect(acceptedStep(rfcSecret, code, new Date(seconds * 1000), [])).toBe(Math.floor(seconds / 30));
  });

  it('accepts steps -1, 0 and +1, each once, and no other', () => {
    const secret = newSecret();
    const now = new Date('2026-03-01T12:00:15Z');
    const step = Math.floor(now.getTime() / 30_000);
    const codeAt = (offset: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: now.getTime() + offset * 30_000,
      });
    let taken: number[] = [];
    for (const offset of [-1, 0, 1]) {
      expect(acceptedStep(secret, codeAt(offset), now, taken)).toBe(step + offset);
      taken = rememberStep(taken, step + offset);
      expect(acceptedStep(secret, codeAt(offset), now, taken)).toBeUndefined();
    }
    for (const offset of [-3, -2, 2, 3])
      expect(acceptedStep(secret, codeAt(offset), now, [])).toBeUndefined();
  });

  it.each(['287 082', ' 287082 ', '287-082', '２８７０８２'])('reads %j as it was meant', (code) => {
    expect(acceptedStep(rfcSecret, code, new Date(59_000), [])).toBe(1);
  });

  it.each(['', ' ', '12345', '1234567', 'abcdef', '１２３４５６', '٢٨٧٠٨٢'])('refuses %j', (code) => {
    expect(acceptedStep(rfcSecret, code, new Date(59_000), [])).toBeUndefined();
  });

  it('makes 160-bit secrets and an address an authenticator reads', () => {
    const secret = newSecret();
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
    expect(otpauthUrl(secret, 'alice')).toMatch(/^otpauth:\/\/totp\/.*alice\?.*secret=/);
  });

  it.runIf(oathtool)("agrees with Debian's oathtool", () => {
    const secret = newSecret();
    const code = execFileSync('oathtool', ['--totp', '-b', '-N', '@1700000000', secret], {
      encoding: 'utf8',
    }).trim();
    expect(acceptedStep(secret, code, new Date(1_700_000_000_000), [])).toBe(Math.floor(1_700_000_000 / 30));
  });
});
