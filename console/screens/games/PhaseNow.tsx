import { pageSizes } from '#contract/fields.ts';
import { type Game, pageGames } from '#contract/games.ts';
import { useEndpoint } from '../../kit/call/index.ts';

const POLL_MS = 5_000;

/** The phase a game is at. It moves on by itself, and others set it, so the row does not know. */
export function PhaseNow({ game: { id, name, phase } }: { readonly game: Game }) {
  const { data } = useEndpoint(
    pageGames,
    { name, pageSize: pageSizes.most },
    { everyMs: POLL_MS, quiet: true },
  );
  return <output>{data?.data.find((game) => game.id === id)?.phase ?? phase}</output>;
}
