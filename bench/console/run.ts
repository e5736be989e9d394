// Paints lists in Chromium with the console's production build and prints figures: see bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { chromiumArguments, findChromium } from '../../browser-tests/chromium.ts';
import { ledgerRows } from './rows.ts';
import { serve } from './serve.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const wants = (part: string): boolean => !process.env.ONLY || process.env.ONLY === part;
const here = fileURLToPath(new URL('.', import.meta.url));
const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const contestants = ['innerHTML', 'antd Table', 'ours'] as const;
const labels: Readonly<Record<string, string>> = {
  tree: 'tree 200 x 20',
  'play ways': '200 play ways, 4,000 odds',
};
const only = process.env.SHAPE;
const shapes = ['20', '1000', '9999', 'tree', 'play ways'] as const;
/** Minutes for nothing new: antd's table of 9999 rows takes ten seconds a round. */
const roundsOf = (contestant: string, shape: string): number =>
  contestant !== 'ours' && (shape === '9999' || shape === 'tree') ? Math.min(2, ROUNDS) : ROUNDS;
/** The page of play ways stands against one string only. */
const runs = (contestant: string, shape: string): boolean =>
  shape !== 'play ways' || contestant !== 'antd Table';

async function paintAll(browser: Browser, origin: string): Promise<void> {
  const figures: Record<string, Record<string, number>> = {};
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(origin);
  await page.evaluate(() => window.paint('ours', '20'));
  for (const shape of shapes) {
    if (only && only !== shape) continue;
    const spent = new Map<string, number[]>(contestants.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of contestants) {
        if (round >= roundsOf(name, shape) || !runs(name, shape)) continue;
        spent
          .get(name)
          ?.push(await page.evaluate(([who, what]) => window.paint(who, what), [name, shape] as const));
      }
    const column = labels[shape] ?? `${shape} rows`;
    const row = Object.fromEntries(
      contestants
        .filter((name) => runs(name, shape))
        .map((name) => [name, Math.round(median(spent.get(name) ?? []))]),
    );
    const { ours = 1, ...others } = row;
    const ratios = Object.entries(others).map(([name, ms]) => [
      `${name} : ours`,
      Number((ms / ours).toFixed(1)),
    ]);
    figures[column] = { ...row, ...Object.fromEntries(ratios) };
  }
  console.log('\nPainting, ms from data in memory to painted (two idle frames are about 33)');
  console.table(figures);
  await page.close();
}

const moment = '2026-01-01 00:00:00';
const menu = (id: number, type: string, path: string | null, childrens: unknown[]) => ({
  ...{
    id,
    title: '角色管理',
    type,
    path,
    iconClass: 'IdcardOutlined',
    urlExpression: null,
    index: 0,
    parentId: null,
  },
  ...{ createDate: moment, editDate: moment, childrens },
});
const menus = [menu(1, 'FOLDER', null, [menu(2, 'MENU', '/main/pms/role', [])])];
const roles = ledgerRows(20).map(({ id }) => ({
  ...{ id, desc: `角色 ${id}`, name: `role${id}`, hasMenus: [], createDate: moment, editDate: moment },
}));

/** A page that does nothing but fetch the same rows and show them. */
const barePage = `<!doctype html><div id="root"></div><script>
fetch('/api/pms/role/list', { method: 'POST' }).then((answer) => answer.json()).then(({ data }) => {
  const cells = (row) => ['desc', 'name', 'createDate', 'editDate'].map((name) => '<td>' + row[name] + '</td>').join('');
  root.innerHTML = '<table><tbody>' + data.map((row) => '<tr>' + cells(row) + '</tr>').join('') + '</tbody></table>';
});</script>`;

interface Load {
  ms: number;
  /** All scripts of the visit, gzipped; `kbBefore` of them were there before the selector was. */
  kb: number;
  kbBefore: number;
}

/** Notes in the page itself when `selector` is first painted: the driver would see it late on a busy machine. */
function watch(selector: string): void {
  const seen = () => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => performance.mark('seen'));
  };
  const observer = new MutationObserver(seen);
  observer.observe(document, { childList: true, subtree: true });
}

/** One visit with an empty cache: time until `selector` is there, and the scripts it took. */
async function visit(browser: Browser, url: string, selector: string, signedIn: boolean): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // An operator who comes back: token and menus are in the local cache, where every sign-in leaves both.
  const cached = Object.entries({ token: { access_token: 'x', jti: 'x' }, menus: { jti: 'x', menus } });
  if (signedIn)
    await context.addInitScript((entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, JSON.stringify(value));
    }, cached);
  await context.addInitScript(watch, selector);
  const page = await context.newPage();
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.set(response.url(), response.body());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  // What loads when the browser is idle comes after a pause.
  await page.waitForTimeout(2000);
  const { ms, before } = await page.evaluate(() => {
    const seen = performance.getEntriesByName('seen')[0]?.startTime ?? Number.NaN;
    const entries = performance.getEntriesByType('resource');
    return { ms: seen, before: entries.filter((entry) => entry.startTime < seen).map((entry) => entry.name) };
  });
  const weights = await Promise.all(
    [...scripts].map(
      async ([script, body]) => [script, gzipSync(await body, { level: 9 }).length / 1000] as const,
    ),
  );
  await context.close();
  const sum = (counts: (script: string) => boolean): number =>
    weights.reduce((total, [script, weight]) => total + (counts(script) ? weight : 0), 0);
  return { ms, kb: sum(() => true), kbBefore: sum((script) => before.includes(script)) };
}

async function loadAll(browser: Browser, origin: string): Promise<void> {
  const times = { bare: [] as number[], list: [] as number[], login: [] as number[] };
  let login: Load | undefined;
  let list: Load | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    times.bare.push((await visit(browser, `${origin}/bare`, 'td', false)).ms);
    list = await visit(browser, `${origin}/main/pms/role`, 'tbody td', true);
    times.list.push(list.ms);
    login = await visit(browser, `${origin}/login`, 'form', false);
    times.login.push(login.ms);
  }
  console.log('\nJavaScript, gzipped');
  console.log(`  login page          ${login?.kb.toFixed(0)} KB (goal: at most 150)`);
  const more = (list?.kb ?? 0) - (login?.kb ?? 0);
  console.log(`  first list screen   ${more.toFixed(0)} KB more (goal: at most 250)`);
  console.log(`  before its rows     ${list?.kbBefore.toFixed(0)} KB of all that`);

  const best = (values: readonly number[]): string => Math.min(...values).toFixed(0);
  const ratio = (of: (values: readonly number[]) => number): string =>
    (of(times.list) / of(times.bare)).toFixed(1);
  console.log('\nCold load, ms to the first 20 rows, median (best); empty cache, server beside the browser');
  console.log(`  innerHTML page      ${median(times.bare).toFixed(0)} (${best(times.bare)})`);
  console.log(`  the role screen     ${median(times.list).toFixed(0)} (${best(times.list)})`);
  console.log(`  ratio               ${ratio(median)} (${ratio((values) => Math.min(...values))}), goal 3.5`);
  console.log(`  the login page      ${median(times.login).toFixed(0)} (${best(times.login)})`);
}

const work = mkdtempSync(join(tmpdir(), 'bench-console-'));
const into = (name: string) => ({ outDir: join(work, name), emptyOutDir: true, chunkSizeWarningLimit: 2000 });
await build({ configFile: false, logLevel: 'warn', plugins: [react()], root: here, build: into('lists') });
await build({ logLevel: 'warn', build: into('console') });
const answers = {
  '/api/pms/menu/listByCurrentUser': () => menus,
  '/api/pms/role/list': () => roles,
  '/api/operator/preference/list': () => ({ layouts: [], views: [], roles: [] }),
  '/api/public/settings': () => ({}),
  '/bare': () => barePage,
};
const lists = await serve(join(work, 'lists'), answers);
const whole = await serve(join(work, 'console'), answers);
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
try {
  if (wants('paint')) await paintAll(browser, lists.origin);
  if (wants('load')) await loadAll(browser, whole.origin);
} finally {
  await browser.close();
  lists.close();
  whole.close();
  rmSync(work, { recursive: true, force: true });
}
