import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { theme } from 'antd';
import { expect, test } from 'vitest';
import { antdStyles } from './antd-styles.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** What each part of antd calls itself in its styles. */
const classes: Readonly<Record<string, string>> = {
  ...{ DatePicker: '.ant-picker-dropdown', Input: '.ant-input-password', Modal: '.ant-modal-wrap' },
  ...{ Radio: '.ant-radio-button-wrapper', Select: '.ant-select-dropdown', Switch: '.ant-switch-checked' },
};
/** What those draw besides once they are open. */
const drawn = ['.ant-btn-primary', '.ant-empty-image'];
const files = globSync('**/*.tsx', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'));
const matched = (form: RegExp): string[] =>
  files.flatMap((text) => [...text.matchAll(form)].map(([, part = '']) => part));
/** Its own file in antd, as `date-picker`. */
const nameOfFile = (file: string): string =>
  file.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
/** Names that files of the console import of antd, but for types. */
const imported = matched(/^import \{([^}]*)\} from 'antd';$/gm)
  .flatMap((names) => names.split(',').map((name) => name.trim()))
  .concat(matched(/ from 'antd\/es\/([\w-]+)\//g).map(nameOfFile))
  .filter((name) => name !== 'ConfigProvider' && !name.startsWith('type '));

test('every part of antd that the console draws has its styles', () => {
  const styles = antdStyles();
  expect(new Set(imported)).toEqual(new Set(Object.keys(classes)));
  const wanted = [...Object.values(classes), ...drawn];
  expect(wanted.filter((one) => !styles.includes(one))).toEqual([]);
});

test('no style is of anything but antd’s own parts', () => {
  const styles = antdStyles().replaceAll(/@keyframes [\w-]+\{(?:[^{}]*\{[^{}]*\})*\}/g, '');
  const selectors = [...styles.matchAll(/([^{}]+)\{/g)].flatMap(([, listed = '']) => listed.split(','));
  expect(selectors.length).toBeGreaterThan(1000);
  expect(selectors.filter((one) => !/^@|ant/.test(one))).toEqual([]);
});

test('the styles are the same in every theme', () => {
  const dark = { algorithm: theme.darkAlgorithm, token: { fontSize: 13, controlHeightSM: 40 } };
  expect(antdStyles(dark)).toBe(antdStyles());
});
