import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const WORTH_COMPRESSING_BYTES = 1_024;

const packings = {
  '.gz': (content: Buffer) => promisify(gzip)(content, { level: 9 }),
  '.br': (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        // A window beyond the file is memory for nothing.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(10, Math.ceil(Math.log2(content.length)))),
      },
    }),
};

async function pack(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < WORTH_COMPRESSING_BYTES) return;
  for (const [ending, packed] of Object.entries(packings))
    await writeFile(file + ending, await packed(content));
}

/** Packs a built console's files, once rather than on every request; several at once, since Node packs beside its own thread. */
export async function compressConsole(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(js|css|svg|json|txt)$/.test(name));
  await Promise.all(files.map((name) => pack(join(folder, name))));
}
