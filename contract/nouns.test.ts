import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { contract } from './all.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { isNamed, nounEntries, nounOf } from './nouns.ts';
import { refsIn } from './ref.ts';
import { bareSchema, elementOf, rowSchemaOf, shapeOf } from './row-schema.ts';

/** Ids that lead to no row of ours, and why. */
const reasons: Readonly<Record<string, string>> = {
  targetId: 'the row of whatever the change was about',
  recordId: 'a record is corrected on its own row; records are read by their phase, not by a number',
  clientId: 'a text that the chat library gives',
  operatorId: 'a log keeps the number as it was, beside the name as it was typed; the operator may be gone',
};

/** The row that a dialog was opened on: it is not chosen there. */
const opened = ['previewPlayWay.id', 'tryRules.playWayId'];

interface Found {
  readonly at: string;
  readonly name: string;
  readonly schema: z.ZodType;
}

/** Every field of a schema, however deep. */
function fieldsIn(schema: z.ZodType, at: string, above: readonly z.ZodType[] = []): Found[] {
  const bare = bareSchema(schema);
  if (above.includes(bare)) return [];
  const inside = [...above, bare];
  const element = elementOf(bare);
  if (element) return fieldsIn(element, at, inside);
  return Object.entries(shapeOf(bare)).flatMap(([name, field]) => [
    { at: `${at}.${name}`, name, schema: field },
    ...fieldsIn(field, `${at}.${name}`, inside),
  ]);
}

const calls = Object.entries<AnyEndpoint>(contract);
const fields = calls.flatMap(([name, { input, output }]) => [
  ...fieldsIn(input, name),
  ...fieldsIn(output, `${name}:`),
]);

const isListOfIds = (schema: z.ZodType): boolean => {
  const element = elementOf(schema);
  return element !== undefined && metaOf(element).kind === 'id';
};

describe('a reference', () => {
  it('is declared as one wherever a call takes or gives it', () => {
    const leading = fields.filter(
      ({ name, schema }) =>
        /Ids?$/.test(name) || isListOfIds(schema) || (metaOf(schema).kind === 'id' && name !== 'id'),
    );
    expect(leading.length).toBeGreaterThan(50);
    const plain = leading.filter(({ name, schema }) => !metaOf(schema).ref && !(name in reasons));
    expect(plain.map(({ at }) => at)).toEqual([]);
    for (const name of Object.keys(reasons))
      expect(
        leading.some((each) => each.name === name && !metaOf(each.schema).ref),
        name,
      ).toBe(true);
  });

  it('can be chosen wherever a call takes it with limits, by a noun that knows such limits', () => {
    for (const { at, schema } of fields) {
      const { ref, of, only = {} } = metaOf(schema);
      if (!ref) continue;
      const { list, within } = nounOf(ref);
      if (of !== undefined) expect(within, at).toBeDefined();
      for (const [field, codes] of Object.entries(only)) {
        const known = list && shapeOf(rowSchemaOf(list.output))[field];
        expect(Object.keys((known && metaOf(known).choices) ?? {}), at).toEqual(
          expect.arrayContaining([...codes]),
        );
      }
    }
  });

  it('is named and chosen on each screen with no right but that screen', () => {
    const lacking = calls.flatMap(([name, { access, input, output, noun: rows, ...call }]) => {
      if (typeof access !== 'object') return [];
      const given = nounEntries.find(([, { list }]) => list?.path === call.path)?.[1];
      // Where rows are only chosen from a list, nothing of them is shown but the name; and what is no list a screen writes out itself.
      const screens = access.screens.filter((screen) => !given || given.screen === screen);
      const shown = Object.entries({ ...shapeOf(input), ...(rows ? shapeOf(rowSchemaOf(output)) : {}) });
      return shown.flatMap(([field, schema]) => {
        const { ref } = metaOf(schema);
        const noun = ref && nounOf(ref);
        const held = noun && isNamed(noun) ? noun.list?.access : undefined;
        if (typeof held !== 'object' || opened.includes(`${name}.${field}`)) return [];
        // A screen has the rows that it is of.
        const others = screens.filter((screen) => screen !== noun?.screen && screen !== noun?.page);
        return others
          .filter((screen) => !held.screens.includes(screen))
          .map((on) => `${on} ${name}.${field}`);
      });
    });
    expect(lacking).toEqual([]);
  });

  it('is found in nested objects and lists, and once in rows below rows', () => {
    expect(refsIn(contract.postEntries.input)).toEqual([{ path: ['entries', 'userId'], ref: 'user' }]);
    expect(refsIn(contract.pageAccountHistory.output)).toEqual([
      { path: ['data', 'account', 'userId'], ref: 'user' },
    ]);
    expect(refsIn(contract.bindRoleMenus.input)).toEqual([
      { path: ['rid'], ref: 'role' },
      { path: ['menuIds'], ref: 'menu' },
      { path: ['seen'], ref: 'menu' },
    ]);
    expect(refsIn(contract.listMenus.output)).toEqual([{ path: ['parentId'], ref: 'menu' }]);
  });
});

describe('a noun', () => {
  const listed = nounEntries.filter(([, { list }]) => list !== undefined);

  it('has a call that gives its rows, wherever anything refers to it', () => {
    for (const { ref } of calls.flatMap(([, { input, output }]) => [...refsIn(input), ...refsIn(output)]))
      expect(nounOf(ref).list, ref).toBeDefined();
  });

  it.each(listed)('%s is named, found and limited by fields that its list has', (_name, noun) => {
    const { list, name, find, children, within, search } = noun;
    if (!list) throw new Error('filtered above');
    expect(list.kind).toBe('query');
    const row = shapeOf(rowSchemaOf(list.output));
    for (const field of ['id', name, ...find, ...(children ? [children] : [])])
      expect(row).toHaveProperty(field);
    for (const field of [within, search]) if (field) expect(shapeOf(list.input)).toHaveProperty(field);
  });

  it.each(nounEntries)('%s is found by fields that a list of its screen searches by', (_name, noun) => {
    const lists = calls.filter(
      ([, { access, input }]) =>
        typeof access === 'object' &&
        access.screens.includes(noun.screen) &&
        noun.find.every((field) => field in shapeOf(input)),
    );
    expect(lists).not.toEqual([]);
  });

  it('has a title of its own', () => {
    expect(new Set(nounEntries.map(([, { title }]) => title)).size).toBe(nounEntries.length);
  });
});
