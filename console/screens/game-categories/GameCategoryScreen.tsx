import {
  addGameCategory,
  deleteGameCategory,
  type GameCategory,
  pageGameCategories,
  updateGameCategory,
} from '#contract/game-categories.ts';
import { DeleteButton, FormButton, IconInput } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Absent, MenuIcon } from '../../kit/overlay/index.ts';

const fields = ['name', { field: 'iconClass', input: IconInput }, 'index'] as const;

const Icon = ({ iconClass }: GameCategory) =>
  iconClass === null ? (
    <Absent />
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
