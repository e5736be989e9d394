import { expect, test } from 'vitest';
import { filesOf, namesOf, pluralOf } from './new-files.ts';
import { takenOf } from './new-lines.ts';

const pathsOf = (name: string, path: string, plural = pluralOf(name)) =>
  Object.keys(filesOf(namesOf({ name, plural, title: '名', path, migration: '9999' })));

test('a new noun is in folders of its name, with a screen where the console looks for it', () => {
  expect(pathsOf('userTag', '/main/user/tag')).toEqual([
    'contract/user-tags.ts',
    'server/db/migrations/9999-user-tags.sql',
    'server/features/user-tags/user-tags.test.ts',
    'console/screens/user-tags/TagScreen.tsx',
  ]);
});

test.each([
  ['announcement', 'announcements'],
  ['category', 'categories'],
  ['day', 'days'],
  ['address', 'addresses'],
  ['branch', 'branches'],
  ['tax', 'taxes'],
])('%s is one of %s', (name, plural) => {
  expect(pathsOf(name, '/main/user/x')[0]).toBe(`contract/${plural}.ts`);
});

test('a plural that is no regular one is as it is given', () => {
  expect(pathsOf('person', '/main/user/person', 'people')).toEqual([
    'contract/people.ts',
    'server/db/migrations/9999-people.sql',
    'server/features/people/people.test.ts',
    'console/screens/people/PersonScreen.tsx',
  ]);
});

test.each([
  ['category', '类别', '/main/news/kind', 'POST /news/category/list'],
  ['kind', '新闻分类', '/main/news/kind', '新闻分类'],
])('a noun that would take what another has is refused: %s', (name, title, path, taken) => {
  expect(takenOf(namesOf({ name, plural: pluralOf(name), title, path, migration: '9999' }))).toContain(taken);
});

test('a noun that is new takes nothing from others', () => {
  const announcement = { name: 'announcement', plural: 'announcements', title: '公告' };
  expect(takenOf(namesOf({ ...announcement, path: '/main/news/announcement', migration: '9999' }))).toEqual(
    [],
  );
});
