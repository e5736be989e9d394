import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVault } from '#server/vault.ts';

describe('the vault', () => {
  const vault = createVault(randomBytes(32));

  it('opens what it sealed, and seals differently each time', () => {
    const first = vault.seal('机密', 'operator:1:googleSecret');
    expect(vault.open(first, 'operator:1:googleSecret')).toBe('机密');
    expect(first.equals(vault.seal('机密', 'operator:1:googleSecret'))).toBe(false);
  });

  it('refuses every flipped byte', () => {
    const sealed = vault.seal('secret', 'row');
    for (let i = 0; i < sealed.length; i++) {
      const bent = Buffer.from(sealed);
      bent[i] = (bent[i] ?? 0) ^ 1;
      expect(() => vault.open(bent, 'row')).toThrow();
    }
  });

  it('refuses a ciphertext moved to another row, and another secret', () => {
    const sealed = vault.seal('secret', 'operator:1:googleSecret');
    expect(() => vault.open(sealed, 'operator:2:googleSecret')).toThrow();
    expect(() => createVault(randomBytes(32)).open(sealed, 'operator:1:googleSecret')).toThrow();
  });
});
