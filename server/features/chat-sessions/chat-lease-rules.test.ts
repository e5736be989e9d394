import { describe, expect, it } from 'vitest';
import { AWAY_SECONDS, claimOf } from './chat-lease-rules.ts';
import { createHolderKey, sealTo } from './holder-key.ts';

const here = { place: 'here', holder: 'me' };

describe('who may run a session', () => {
  it.each([
    ['that never ran', { place: null, holder: null, overSeconds: null }, 'anew'],
    ['that this process runs', { place: 'here', holder: 'me', overSeconds: -5 }, 'mine'],
    ['that another process runs', { place: 'there', holder: 'other', overSeconds: -0.1 }, 'held'],
    ['that another process of this place runs', { place: 'here', holder: 'other', overSeconds: -5 }, 'held'],
    ['whose process here died', { place: 'here', holder: 'other', overSeconds: 0.1 }, 'take'],
    ['given up by a process here', { place: 'here', holder: null, overSeconds: 0 }, 'take'],
    ['whose server just stopped', { place: 'there', holder: null, overSeconds: 5 }, 'away'],
    [
      'whose server died a while ago',
      { place: 'there', holder: 'other', overSeconds: AWAY_SECONDS + 1 },
      'anew',
    ],
  ] as const)('one %s', (_what, lease, claim) => {
    expect(claimOf(lease, here)).toBe(claim);
  });
});

describe('what is sent to the process that runs a session', () => {
  it('can be read by that process, and by nobody else', () => {
    const holder = createHolderKey();
    const sealed = sealTo(holder.publicKey, '{"code":"12345"}');
    expect(sealed.toString('latin1')).not.toContain('12345');
    expect(holder.open(sealed)).toBe('{"code":"12345"}');
    expect(() => createHolderKey().open(sealed)).toThrow();
    sealed[sealed.length - 1] = (sealed[sealed.length - 1] ?? 0) ^ 1;
    expect(() => holder.open(sealed)).toThrow();
  });
});
