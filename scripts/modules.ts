import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { moduleIndex } from './module-index.ts';

// `npm run modules` enters every file of the contract that has a `heading` in contract/modules.ts.

const folder = new URL('../contract/', import.meta.url);
const files = globSync('*.ts', { cwd: folder }).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}));
writeFileSync(new URL('modules.ts', folder), moduleIndex(files));
