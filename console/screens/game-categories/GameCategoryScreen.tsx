import {
  addGameCategory,
  deleteGameCategory,
  type GameCategory,
  pageGameCategories,
  updateGameCategory,
} from '#contract/game-categories.ts';
import { DeleteButton } from '../../kit/DeleteButton.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { IconInput } from '../../kit/IconInput.tsx';
import { ListScreen } from '../../kit/ListScreen.tsx';
import { MenuIcon } from '../../kit/MenuIcon.tsx';

const fields = ['name', { field: 'iconClass', input: IconInput }, 'index'] as const;

const Icon = ({ iconClass }: GameCategory) =>
  iconClass === null ? (
    <span className="list-absent">—</span>
  ) : (
    <span>
      <MenuIcon name={iconClass} /> {iconClass}
    </span>
  );

const actions = (category: GameCategory) => (
  <>
    <FormButton endpoint={updateGameCategory} fields={fields} initial={category}>
      编辑
    </FormButton>
    <DeleteButton
      endpoint={deleteGameCategory}
      input={{ id: category.id }}
      what={`游戏分类“${category.name}”`}
    />
  </>
);

/** Kinds of games, in the order players see them. */
export function GameCategoryScreen() {
  return (
    <ListScreen
      endpoint={pageGameCategories}
      search={['name']}
      columns={['name', { field: 'iconClass', render: Icon }, 'index']}
      toolbar={
        <FormButton endpoint={addGameCategory} fields={fields}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
