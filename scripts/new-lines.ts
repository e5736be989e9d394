import type { Named } from './new-files.ts';

interface Entered {
  readonly path: string;
  readonly change: (text: string) => string;
}

/** Puts a line before the first place that this finds. */
const before = (place: string, line: string) => (text: string) =>
  text.replace(place, () => `${line}${place}`);

/** Puts a line after the last line that matches. */
const afterLast = (line: RegExp, added: string) => (text: string) => {
  const lines = text.split('\n');
  const at = lines.findLastIndex((each) => line.test(each));
  return at < 0 ? text : lines.toSpliced(at + 1, 0, added).join('\n');
};

/** Two changes, or none where one finds no place. */
const both = (one: (text: string) => string, other: (text: string) => string) => (text: string) => {
  const half = one(text);
  const whole = other(half);
  return half === text || whole === half ? text : whole;
};

/** Its calls, as the list of those that the specification does not name has them. */
const calls = ({ path, name }: Named): string =>
  ['POST {at}/list', 'POST {at}/add', 'POST {at}/update', 'GET {at}/deleteById/{id}']
    .map((call) => `${call.replace('{at}', path.replace(/^\/main(?=\/)/, '').replace(/[^/]+$/, name))}\n`)
    .join('');

/** Where a noun is entered besides its own files. */
export function linesOf(named: Named): Entered[] {
  const { name, type, types, plural, title, path, folder, file } = named;
  const noun = `noun<${type}>({ title: '${title}', name: 'title', list: list${types}, screen: '${path}', find: ['title'] })`;
  return [
    {
      path: 'contract/ref.ts',
      change: before('] as const;\n\n/** The name of a noun. */', `  '${name}',\n`),
    },
    {
      path: 'contract/nouns.ts',
      change: both(
        afterLast(/^import .* from '\.\/.*';$/, `import { type ${type}, list${types} } from './${file}.ts';`),
        before('};\n\n/** What a noun is. */', `  ${name}: ${noun},\n`),
      ),
    },
    {
      path: 'contract/all.ts',
      change: both(
        afterLast(/^import \* as /, `import * as ${plural} from './${file}.ts';`),
        before('  平台接口: platform,', `  ${title}: ${plural},\n`),
      ),
    },
    {
      path: 'contract/screens.ts',
      change: (text) => {
        const menu = new RegExp(`^  screen\\('/main/${folder}/[^']*', '([^']*)'`, 'm').exec(text)?.[1];
        const line = `  screen('${path}', '${menu}', '${title}', 'FileTextOutlined'),`;
        return menu ? afterLast(new RegExp(`^  screen\\('/main/${folder}/`), line)(text) : text;
      },
    },
    {
      path: 'contract/inventory.test.ts',
      change: before('`;\n\n/** The calls of the players', calls(named)),
    },
    {
      path: 'server/features/registry.ts',
      change: both(
        afterLast(/^import \{/, `import { ${plural}Handlers } from './${file}/${file}-handlers.ts';`),
        afterLast(/^ {2}\.\.\.\w+Handlers,$/, `  ...${plural}Handlers,`),
      ),
    },
    {
      path: 'console/routes.tsx',
      change: afterLast(
        new RegExp(`'/main/${folder}/[a-z-]+': \\(\\) =>.*then|^    import\\('./screens/${folder}/`),
        `  '${path}': () => import('./screens/${folder}/${type}Screen.tsx').then((m) => m.${type}Screen),`,
      ),
    },
    {
      path: 'console/screens/document/content.ts',
      change: before(
        '  ],\n};\n\nexport const system',
        `    { path: '${path}', title: '${title}', lines: ['每条${title}有标题与状态，停用后不再显示；可新增、编辑与删除。'] },\n`,
      ),
    },
  ];
}
