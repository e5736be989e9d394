import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { shapeOf } from '#contract/row-schema.ts';
import { filesOf, namesOf, pluralOf } from './new-files.ts';
import { englishOf, takenOf, withTexts } from './new-lines.ts';

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

test('what is written keeps the rules that tests hold of all nouns: no edit presumes a switch, and what takes a file says so', async () => {
  const named = { name: 'announcement', plural: 'announcements', title: '公告', migration: '9999' };
  const files = filesOf(namesOf({ ...named, path: '/main/news/announcement' }));
  const ignored = fileURLToPath(new URL('../test-results/', import.meta.url));
  mkdirSync(ignored, { recursive: true });
  const folder = mkdtempSync(`${ignored}new-`);
  const file = `${folder}/announcements.ts`;
  writeFileSync(file, files['contract/announcements.ts']?.replaceAll("'./", "'#contract/") ?? '');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { addAnnouncement: add, updateAnnouncement: update } = await import(pathToFileURL(file).href);
  const presumed = Object.entries(shapeOf(update.input)).filter(([, field]) => field instanceof z.ZodDefault);
  expect(presumed.map(([name]) => name)).toEqual([]);
  const screen = files['console/screens/announcements/AnnouncementScreen.tsx'];
  expect(/<ImportButton endpoint=\{addAnnouncement\}/.test(screen ?? '')).toBe(add.imports === true);
});

test.each([
  ['category', '类别', '/main/news/kind', 'POST /news/category/list'],
  ['kind', '新闻分类', '/main/news/kind', '新闻分类'],
  ['userRole', '用户角色', '/main/user/role', 'console/screens/roles/RoleScreen.tsx'],
])('a noun that would take what another has is refused: %s', (name, title, path, taken) => {
  expect(takenOf(namesOf({ name, plural: pluralOf(name), title, path, migration: '9999' }))).toContain(taken);
});

test('a noun that is new takes nothing from others', () => {
  const announcement = { name: 'announcement', plural: 'announcements', title: '公告' };
  expect(takenOf(namesOf({ ...announcement, path: '/main/news/announcement', migration: '9999' }))).toEqual(
    [],
  );
});

test('a new noun has its English, and changes that of no other', () => {
  const userTag = namesOf({
    name: 'userTag',
    plural: 'userTags',
    title: '用户标签',
    path: '/main/user/tag',
    migration: '9999',
  });
  const [contract = {}] = Object.values(englishOf(userTag));
  expect(contract).toMatchObject({
    用户标签: 'User tag',
    查询用户标签: 'User tags',
    新增用户标签: 'Add user tag',
  });
  const catalogue = withTexts('{ "用户": "User", "用户标签": "Label" }', contract);
  expect(JSON.parse(catalogue)).toMatchObject({
    用户: 'User',
    用户标签: 'Label',
    编辑用户标签: 'Edit user tag',
  });
});
