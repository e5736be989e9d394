import { describe, expect, it } from 'vitest';
import { testConfig } from '#server/testing/test-config.ts';
import { exportThread } from './export-thread.ts';
import type { ExportOrder } from './thread-words.ts';

const order: ExportOrder = {
  ...{
    call: 'listRoles',
    format: 'csv',
    language: 'zh',
    input: {},
    url: 'postgres://nowhere/',
    sessionId: '',
  },
  ...{ now: new Date(), address: '', agent: '' },
};

/** A thread of exports that runs this program in place of the real one. */
function threadOf(program: string, errors: object[] = []) {
  const log = { warn: () => undefined, error: (details: object) => void errors.push(details) };
  const entry = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  return exportThread(entry, { config: testConfig(), compileCache: undefined, log });
}

const told = (answers: string) => `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (word) => { if (word === 'end') return parentPort.close();
    const { port } = word; port.postMessage({ total: 2 }); port.on('message', () => { ${answers} }); });`;

describe('the thread of exports', () => {
  it('that ends under way fails its export, and the next one has a new thread', async () => {
    const thread = threadOf(told('process.exit(1)'));
    for (let time = 0; time < 2; time++) {
      const list = await thread.begin(order);
      expect(list.total).toBe(2);
      await expect(list.pieces().next()).rejects.toThrow('the thread of exports has ended');
      list.over();
    }
    await thread.stop();
  });

  it('that cannot be loaded fails its export and says why', async () => {
    const errors: object[] = [];
    const thread = threadOf('throw new Error("broken")', errors);
    await expect(thread.begin(order)).rejects.toThrow('the thread of exports has ended');
    await expect.poll(() => errors, { timeout: 20_000 }).toEqual([{ error: 'Error: broken' }]);
  });

  it('hands on what the list refuses, with its code', async () => {
    const failed = { name: 'PostgresError', message: 'too long', code: '57014' };
    const thread = threadOf(told(`port.postMessage({ failed: ${JSON.stringify(failed)} })`));
    const list = await thread.begin(order);
    await expect(list.pieces().next()).rejects.toMatchObject(failed);
    list.over();
    await thread.stop();
  });
});
