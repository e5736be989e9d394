import { expect, it } from 'vitest';
import { folders, screens } from '#contract/screens.ts';
import { menuIconNames } from './menu-icons.ts';

it.each([...folders, ...screens])('$title has an icon of its own, $iconClass', ({ iconClass }) => {
  expect(menuIconNames).toContain(iconClass);
});
