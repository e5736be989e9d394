import { updateOdds } from '#contract/odds.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { playWayAbout, playWayActions, playWayColumns } from './play-way-list.tsx';

/** Ways to bet, each with the odds of its numbers. */
export function PlayWayScreen() {
  return (
    <ListScreen
      endpoint={pagePlayWays}
      search={['gameId', 'categoryId', 'betLatitudeId']}
      columns={playWayColumns}
      about={playWayAbout}
      tree="odds"
      below={{ noun: 'odds', call: updateOdds }}
      rowActions={playWayActions}
    />
  );
}
