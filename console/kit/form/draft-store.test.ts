import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Draft } from './draft-store.ts';

const OPERATOR = 'ann';
const shared = new Map<string, string>();

/** Storage as one window sees it: once it is frozen, what others write it does not see, and what it writes itself goes to all. */
function storageOfWindow() {
  let frozen: Map<string, string> | undefined;
  const seen = () => frozen ?? shared;
  return {
    freeze: () => {
      frozen = new Map(shared);
    },
    get length() {
      return seen().size;
    },
    key: (at: number) => [...seen().keys()][at] ?? null,
    getItem: (key: string) => seen().get(key) ?? null,
    setItem: (key: string, text: string) => {
      for (const each of [seen(), shared]) each.set(key, text);
    },
    removeItem: (key: string) => {
      for (const each of [seen(), shared]) each.delete(key);
    },
  };
}

/** A window's own copy of the module, over its own view of what all share. */
async function openWindow(id: string) {
  vi.resetModules();
  const seen = storageOfWindow();
  const session = new Map([['window', JSON.stringify(id)]]);
  const use = () => {
    vi.stubGlobal('localStorage', seen);
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, text: string) => session.set(key, text),
    });
  };
  use();
  return { seen, use, store: await import('./draft-store.ts') };
}

const draft = (name: string, held: Partial<Draft> = {}): Draft => ({
  ...{ tab: '/main/pms/role', form: `POST ${name}`, row: '', menu: null },
  ...{ values: { name }, opened: {}, at: Date.now(), openUntil: 0 },
  ...held,
});
const keyed = (...drafts: Draft[]) =>
  Object.fromEntries(drafts.map((each) => [`${each.tab}|${each.form}|`, each]));

beforeEach(() => shared.clear());
afterEach(() => vi.unstubAllGlobals());

describe('what windows keep of forms', () => {
  it('is not put back by another that has not seen it go', async () => {
    const one = await openWindow('one');
    const mine = keyed(draft('first'));
    one.store.store(OPERATOR, mine, new Set(Object.keys(mine)), true);
    const other = await openWindow('other');
    other.store.stored(OPERATOR);
    other.seen.freeze();

    one.use();
    one.store.store(OPERATOR, {}, new Set(Object.keys(mine)), true);
    other.use();
    const theirs = keyed(draft('second'));
    other.store.store(OPERATOR, theirs, new Set(Object.keys(theirs)), true);

    const again = await openWindow('one');
    expect(again.store.stored(OPERATOR)).toEqual({});
    expect(JSON.stringify([...shared])).toContain('second');
  });

  it('is not lost by another that has not seen it come', async () => {
    const other = await openWindow('other');
    other.seen.freeze();
    const one = await openWindow('one');
    const mine = keyed(draft('first'));
    one.store.store(OPERATOR, mine, new Set(Object.keys(mine)), true);
    other.use();
    const theirs = keyed(draft('second'));
    other.store.store(OPERATOR, theirs, new Set(Object.keys(theirs)), true);
    expect(Object.keys((await openWindow('one')).store.stored(OPERATOR))).toEqual(Object.keys(mine));
  });

  it('is found by the next window once its own is closed, and goes from where it was found', async () => {
    const one = await openWindow('one');
    const mine = keyed(draft('first'), draft('second'));
    const keys = new Set(Object.keys(mine));
    one.store.store(OPERATOR, mine, keys, true);
    const early = await openWindow('early');
    expect(early.store.stored(OPERATOR)).toEqual({});
    one.use();
    one.store.store(OPERATOR, mine, keys, false);

    const next = await openWindow('next');
    expect(Object.keys(next.store.stored(OPERATOR)).toSorted()).toEqual([...keys].toSorted());
    next.store.store(OPERATOR, {}, keys, true);
    expect((await openWindow('last')).store.stored(OPERATOR)).toEqual({});
  });

  it('that a version before kept in one place is found by its own window as that wrote it last, by others once it is closed', async () => {
    const openUntil = Date.now() + 60_000;
    const closed = draft('closed');
    const former = (...kept: [window: string, draft: Draft][]) =>
      shared.set(
        `drafts:${OPERATOR}`,
        JSON.stringify(Object.fromEntries(kept.map(([window, each]) => [`${window}|${each.form}`, each]))),
      );
    former(['one', draft('first', { openUntil })], ['gone', closed]);
    expect((await openWindow('other')).store.stored(OPERATOR)).toEqual(keyed(closed));
    const last = draft('first', { openUntil, values: { name: 'more of it' } });
    former(['one', last], ['two', draft('given up', { openUntil })]);
    await openWindow('third').then(({ store }) => store.stored(OPERATOR));
    former(['one', last]);
    expect((await openWindow('one')).store.stored(OPERATOR)).toEqual({ ...keyed(closed), ...keyed(last) });
    expect((await openWindow('two')).store.stored(OPERATOR)).toEqual(keyed(closed));
  });

  it('goes after a week, and with all others of an operator who signs out', async () => {
    const one = await openWindow('one');
    const late = keyed(draft('late', { at: Date.now() - 8 * 86_400_000 }), draft('new'));
    one.store.store(OPERATOR, late, new Set(Object.keys(late)), false);
    one.store.store(
      'anna',
      keyed(draft('of another')),
      new Set(Object.keys(keyed(draft('of another')))),
      false,
    );
    const next = await openWindow('next');
    expect(next.store.stored(OPERATOR)).toEqual({ ...keyed(draft('new', { at: expect.any(Number) })) });
    expect(JSON.stringify([...shared])).not.toContain('late');
    next.store.dropAll(OPERATOR);
    expect([...shared.keys()]).toEqual(['drafts:anna|one']);
  });
});
