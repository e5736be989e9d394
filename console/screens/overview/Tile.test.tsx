import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { PathsContext } from '../../kit/call/index.ts';
import { Tile } from './Tile.tsx';

const drawn = (to: string, ...paths: string[]): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <PathsContext value={new Set(paths)}>
        <Tile title="没有开奖计划" n={1} note="见下" to={to} level="bad" />
      </PathsContext>
    </MemoryRouter>,
  );

test('a figure leads to its list for whoever may open that, and is told to others all the same', () => {
  const games = '/main/game/lottery';
  expect(drawn(`${games}?name=x`, games)).toContain(`href="${games}?name=x"`);
  expect(drawn('/main/other/safe')).toContain('href="/main/other/safe"');
  // Whoever may open the plans alone is told of days without any.
  const told = drawn(games, '/main/game/open-plan');
  expect(told).not.toContain('href');
  expect(told).toContain('没有开奖计划');
});
