import type { Browser } from '@playwright/test';
import { median } from '../measure.ts';

const contestants = ['innerHTML', 'antd Table', 'ours'] as const;
const labels: Readonly<Record<string, string>> = {
  tree: 'tree 200 x 20',
  'play ways': '200 play ways, 4,000 odds',
};
const only = process.env.SHAPE;
const shapes = ['20', '1000', '9999', 'tree', 'play ways'] as const;
/** Minutes for nothing new: antd's table of 9999 rows takes ten seconds a round. */
const roundsOf = (contestant: string, shape: string, rounds: number): number =>
  contestant !== 'ours' && (shape === '9999' || shape === 'tree') ? Math.min(2, rounds) : rounds;
/** The page of play ways stands against one string only. */
const runs = (contestant: string, shape: string): boolean =>
  shape !== 'play ways' || contestant !== 'antd Table';

/** Milliseconds from rows in memory to rows painted, of each contestant in turns. */
export async function paintAll(browser: Browser, origin: string, rounds: number): Promise<void> {
  const figures: Record<string, Record<string, number>> = {};
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(origin);
  await page.evaluate(() => window.paint('ours', '20'));
  for (const shape of shapes) {
    if (only && only !== shape) continue;
    const spent = new Map<string, number[]>(contestants.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const name of contestants) {
        if (round >= roundsOf(name, shape, rounds) || !runs(name, shape)) continue;
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
