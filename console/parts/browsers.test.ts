import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { oldestBrowsers } from './browsers.ts';

it('names to whoever runs the platform the browsers that the console is built for', async () => {
  const manual = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  expect(manual).toContain(`${oldestBrowsers} 或更新`);
});
