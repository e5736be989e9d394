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
import { DeleteButton, FormButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { playWayFields } from '../../parts/betting-rules/play-way-fields.ts';
import '../../parts/betting-rules/betting-rules.css';

const fields = [
  'name',
  { field: 'countOfRows', help: '每行数量' },
  { field: 'hideName', help: '隐藏名称' },
] as const;

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

const subCategoryActions = (category: PlayWayCategory) => (
  <>
    <FormButton
      endpoint={addPlayWay}
      fields={playWayFields}
      initial={{ subCategoryId: category.id, oddsFrom: 'OUTCOME', selection: null }}
      width={760}
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

const actions = (category: PlayWayCategory) =>
  isTop(category) ? categoryActions(category) : subCategoryActions(category);

const isTop = ({ parentCategoryId }: PlayWayCategory): boolean => parentCategoryId === null;

/** A sub-category stands below its category, whose game it shares. */
const Name = (category: PlayWayCategory) =>
  isTop(category) ? category.name : <span className="sub-category">{category.name}</span>;

/** How a betting page groups its play ways; categories are added on the games' screen. */
export function PlayWayCategoryScreen() {
  return (
    <ListScreen
      endpoint={pagePlayWayCategories}
      search={['gameId']}
      columns={[
        { field: 'gameId', blank: (category) => !isTop(category) },
        { field: 'name', render: Name },
        'countOfRows',
        'hideName',
      ]}
      about={['gameId', 'name']}
      tree="subCategories"
      below={{ noun: 'playWayCategory', call: updatePlayWaySubCategory }}
      rowActions={actions}
    />
  );
}
