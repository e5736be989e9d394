import {
  addGameNumber,
  deleteGameNumber,
  type GameNumber,
  pageGameNumbers,
  updateGameNumber,
} from '#contract/game-numbers.ts';
import { DeleteButton, FormButton, ImportButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const actions = (number: GameNumber) => (
  <>
    <FormButton endpoint={updateGameNumber} fields={['number', 'desc']} initial={number}>
      编辑
    </FormButton>
    <DeleteButton endpoint={deleteGameNumber} input={{ id: number.id }} what={`号码“${number.number}”`} />
  </>
);

/** What can be bet on in a game; added on the games' screen. */
export function GameNumberScreen() {
  return (
    <ListScreen
      endpoint={pageGameNumbers}
      search={['gameId']}
      columns={['gameId', 'number', 'desc']}
      toolbar={<ImportButton endpoint={addGameNumber} />}
      rowActions={actions}
    />
  );
}
