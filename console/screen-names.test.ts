import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openRoutes, screens } from '#contract/screens.ts';
import { screenName } from './screen-names.ts';

const files = globSync('screens/**/*Screen.tsx', { cwd: new URL('.', import.meta.url) }).map(
  (path) => path.replaceAll('\\', '/').split('/').at(-1) ?? '',
);

it.each([...screens, ...Object.values(openRoutes)])('$title ($path) has one file called so', ({ path }) => {
  expect(files.filter((file) => file === `${screenName(path)}.tsx`)).toHaveLength(1);
});

it('calls no two screens alike', () => {
  const names = [...screens, ...Object.values(openRoutes)].map(({ path }) => screenName(path));
  expect(new Set(names).size).toBe(names.length);
});
