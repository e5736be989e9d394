import { listBetLatitudesByPlayWayCategory } from '#contract/bet-latitudes.ts';
import {
  deletePlayWayCategory,
  type PlayWayCategory,
  pagePlayWayCategories,
  updatePlayWayCategory,
} from '#contract/play-way-categories.ts';
import {
  addPlayWaySubCategory,
  deletePlayWaySubCategory,
  updatePlayWaySubCategory,
} from '#contract/play-way-sub-categories.ts';
import { addPlayWay } from '#contract/play-ways.ts';
import { DeleteButton } from '../../kit/DeleteButton.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { ListScreen } from '../../kit/ListScreen.tsx';
import { optionsOf } from '../../kit/options.ts';
import { games } from './choices.ts';

const fields = ['name', 'countOfRows', 'hideName'] as const;

const categoryActions = (category: PlayWayCategory) => (
  <>
    <FormButton endpoint={addPlayWaySubCategory} fields={fields} initial={{ parentCategoryId: category.id }}>
      新增子分类
    </FormButton>
    <FormButton endpoint={updatePlayWayCategory} fields={fields} initial={category}>
      编辑
    </FormButton>
    <DeleteButton
      endpoint={deletePlayWayCategory}
      input={{ id: category.id }}
      what={`玩法分类“${category.name}”`}
    />
  </>
);

const subCategoryActions = (category: PlayWayCategory) => {
  const latitudes = optionsOf(listBetLatitudesByPlayWayCategory, {
    label: 'name',
    input: { id: category.id },
  });
  return (
    <>
      <FormButton
        endpoint={addPlayWay}
        fields={['name', 'showRate', { field: 'betLatitudeId', options: latitudes }]}
        initial={{ subCategoryId: category.id }}
      >
        新增玩法
      </FormButton>
      <FormButton endpoint={updatePlayWaySubCategory} fields={fields} initial={category}>
        编辑
      </FormButton>
      <DeleteButton
        endpoint={deletePlayWaySubCategory}
        input={{ id: category.id }}
        what={`玩法子分类“${category.name}”`}
      />
    </>
  );
};

const actions = (category: PlayWayCategory) =>
  category.parentCategoryId === null ? categoryActions(category) : subCategoryActions(category);

/** How a betting page groups its play ways; categories are added on the games' screen. */
export function PlayWayCategoryScreen() {
  return (
    <ListScreen
      endpoint={pagePlayWayCategories}
      search={[{ field: 'gameId', options: games }]}
      columns={[{ field: 'gameId', options: games }, 'name', 'countOfRows', 'hideName']}
      tree="subCategories"
      rowActions={actions}
    />
  );
}
