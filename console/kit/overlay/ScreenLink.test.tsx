import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { PathsContext } from '../call/use-menus.ts';
import { ScreenLink } from './ScreenLink.tsx';

const drawn = (...paths: string[]): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <PathsContext value={new Set(paths)}>
        <ScreenLink to="/main/bet/exposure" search={{ gameId: 1 }}>
          单期风险
        </ScreenLink>
      </PathsContext>
    </MemoryRouter>,
  );

test('a way to a list that may not be opened leaves no word behind', () => {
  expect(drawn('/main/bet/exposure')).toContain('href="/main/bet/exposure?gameId=1"');
  expect(drawn('/main/bet/slip')).toBe('');
});

test('a value that leads to one keeps its words', () => {
  const number = (
    <ScreenLink to="/main/bet/exposure" instead="编号 12">
      编号 12
    </ScreenLink>
  );
  expect(renderToStaticMarkup(<MemoryRouter>{number}</MemoryRouter>)).toBe('编号 12');
});
