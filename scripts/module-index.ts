import type { SourceFile } from './source-facts.ts';

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The text of contract/modules.ts: every file with a heading, in the order of their names. */
export function moduleIndex(files: readonly SourceFile[]): string {
  const names = files
    .filter(({ name, text }) => !name.endsWith('.test.ts') && /^export const heading = /m.test(text))
    .map(({ name }) => name.replace(/\.ts$/, ''))
    .sort();
  const imports = names.map((name) => `import * as ${camel(name)} from './${name}.ts';`);
  const entries = names.map((name) => `  ${camel(name)},`);
  return `// Made by \`npm run modules\` from the files that have a heading; not to be edited by hand.
${imports.join('\n')}

/** Every file of calls. */
export const modules = [
${entries.join('\n')}
] as const;
`;
}
