import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { chatPlace } from './chat-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'place-'));
afterAll(() => rmSync(folder, { recursive: true }));
const module = fileURLToPath(new URL('./chat-place.ts', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the place of chat sessions', () => {
  it('has one name, whoever makes it first', async () => {
    const dataDir = join(folder, 'one');
    const names = await Promise.all(Array.from({ length: 10 }, () => chatPlace(dataDir).make()));
    expect(new Set(names).size).toBe(1);
    expect(await chatPlace(dataDir).find()).toBe(names[0]);
    expect(readdirSync(join(dataDir, 'chat-sessions'))).toEqual(['place']);
  });

  it.skipIf(process.platform === 'win32')(
    'is made once there is room, though the disk was full before',
    async () => {
      const dataDir = join(folder, 'full');
      const make = `import { chatPlace } from '${module}'; await chatPlace('${dataDir}').make();`;
      // Where no file may have a byte.
      const words = [
        '-c',
        `trap '' XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"`,
        process.execPath,
        make,
      ];
      const { status, stderr } = spawnSync('sh', words, { cwd: root, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('EFBIG') });
      const name = await chatPlace(dataDir).make();
      expect(name).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
