import { expect, it } from 'vitest';
import { isComposing } from './composing.ts';

it('knows the Enter that ends what is composed, also where a browser takes composing for over by then', () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true);
  // Safari
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});
