import { describe, expect, it } from 'vitest';
import { cursorText, isUnseen, readCursor } from './cursor.ts';

describe('how far somebody has read', () => {
  it('is what PostgreSQL says of a snapshot, and the time', () => {
    const cursor = readCursor('1732260000-10:14:11,13');
    if (!cursor) throw new Error('not read');
    const seen = [9n, 10n, 11n, 12n, 13n, 14n, 15n].map((xid) => isUnseen(cursor, xid));
    expect(seen).toEqual([false, false, true, false, true, true, true]);
    expect(cursorText(cursor)).toBe('1732260000-10:14:11,13');
    expect(readCursor('1-7:7:')).toMatchObject({ xmin: 7n, xmax: 7n, running: new Set() });
  });

  it.each([undefined, '', '1', '10:14:', '1-10:14', '1-10:14:x', '1-10:14:1,', '-1-1:1:', "1-1:1:'"])(
    'is nothing for %j',
    (text) => {
      expect(readCursor(text)).toBeUndefined();
    },
  );
});
