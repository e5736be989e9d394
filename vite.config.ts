import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { antdStylesId, antdStylesPlugin } from './console/antd-styles.ts';
import { buildTargets, oldestBrowsers } from './console/parts/browsers.ts';
import { screenName } from './console/screen-names.ts';
import { openRoutes, screens } from './contract/screens.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080';

interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** What shell and lists do without. */
const isAntd = (id: string): boolean =>
  id === antdStylesId ||
  (/[\\/]node_modules[\\/](antd|@rc-component|@ant-design)[\\/]/.test(id) && !isIcon(id));
/** Taken one by one, though all of them are reached through the file that names them. */
const isIcon = (id: string): boolean => /[\\/]@ant-design[\\/]icons(-svg)?[\\/]/.test(id);

/** Modules and all that they import, but for what is fetched later. */
function reachedFrom(modules: Modules, ...ids: readonly string[]): Set<string> {
  const reached = new Set(ids);
  // What is added to a set while it is walked is walked too.
  for (const id of reached) {
    if (isAntd(id) || isIcon(id)) continue;
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) reached.add(next);
  }
  return reached;
}

const kit = ['call', 'form', 'list', 'overlay'].map((part) => here(`console/kit/${part}/index.ts`));

/**
 * What every visit begins with is one chunk; the shell and lists, which every screen inside needs, are another: a browser fetches six
 * files at a time, and those of small parts shared by some screens were fifty. What stands on antd is fetched after the first rows.
 */
function chunkOf() {
  let entry: Set<string> | undefined;
  let inside: Set<string> | undefined;
  return (id: string, modules: Modules): string | null => {
    entry ??= reachedFrom(modules, here('console/main.tsx'), here('console/screens/sign-in/LoginScreen.tsx'));
    inside ??= reachedFrom(modules, here('console/shell/Shell.tsx'), ...kit);
    const needed = [...reachedFrom(modules, id)];
    if (isIcon(id) || needed.some(isAntd)) return null;
    // What the entry needs may not need the entry: icons do, by React.
    if (entry.has(id) && !needed.some(isIcon)) return 'entry';
    return inside.has(id) ? 'inside' : null;
  };
}

type Bundle = Rolldown.OutputBundle;

/** Styles of a chunk, of which a screen is not drawn without. */
const stylesOf = (file: Bundle[string] | undefined): Iterable<string> =>
  file?.type === 'chunk' ? (file.viteMetadata?.importedCss ?? []) : [];

/** A file of the bundle and all that it imports, but for what is fetched later. */
function filesOf(bundle: Bundle, ...names: readonly string[]): Set<string> {
  const files = new Set(names);
  for (const name of files) {
    const file = bundle[name];
    if (file?.type !== 'chunk') continue;
    for (const next of [...file.imports, ...stylesOf(file)]) files.add(next);
  }
  return files;
}

/** What each screen needs beside what every visit begins with, by its path: numbers of a list of files, most of which several screens share. */
function screenFiles(bundle: Bundle): { files: string[]; of: Record<string, number[]> } {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const ofModule = (ending: string) =>
    chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(ending))?.fileName;
  const first = filesOf(bundle, ...chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  const shell = ofModule('/shell/Shell.tsx');
  const files: string[] = [];
  const of: Record<string, number[]> = {};
  for (const { path } of [...screens, ...Object.values(openRoutes)]) {
    const screen = ofModule(`/${screenName(path)}.tsx`);
    if (!screen || !shell || !path.startsWith('/main/')) continue;
    const needed = [...filesOf(bundle, shell, screen)].filter((file) => !first.has(file));
    files.push(...needed.filter((file) => !files.includes(file)));
    of[path] = needed.map((file) => files.indexOf(file));
  }
  return { files: files.map((file) => file.replace('assets/', '')), of };
}

/**
 * Tells index.html which files each screen needs, so that they are fetched beside the entry and not after it has run, and which browsers
 * the console is built for.
 */
const tellPage = (): Plugin => ({
  name: 'tell-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) =>
      html
        .replace("'__SCREEN_FILES__'", JSON.stringify(bundle ? screenFiles(bundle) : { files: [], of: {} }))
        .replace('__OLDEST_BROWSERS__', oldestBrowsers),
  },
});

/**
 * Refuses a build whose files import one another in a circle: who is asked for first decides then in which order they run, and now and
 * then one does before what it needs, which leaves a blank page.
 */
const refuseCircles = (): Plugin => ({
  name: 'refuse-circles',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk' && filesOf(bundle, ...file.imports).has(file.fileName))
        this.error(`${file.fileName} imports itself by way of others`);
  },
});

/** Has the browser compile what every visit runs while it is fetched, not function by function when it is first called. */
const compileAhead = (): Plugin => ({
  name: 'compile-ahead',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && ['entry', 'inside'].includes(file.name))
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
});

/** Builds the console into dist/console. In development `/api` goes to a running server. */
export default defineConfig({
  root: here('console'),
  resolve: { alias: { zod: here('console/kit/schemas.ts') } },
  plugins: [react(), antdStylesPlugin(), tellPage(), refuseCircles(), compileAhead()],
  // The server replaces this by a fresh nonce on every page it serves; styles made at run time carry it too.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: here('dist/console'),
    emptyOutDir: true,
    target: buildTargets,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf(), debugName: 'entry and inside' }],
        },
      },
    },
  },
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
});
