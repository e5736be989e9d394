import {
  addNewsCategory,
  deleteNewsCategory,
  listNewsCategories,
  type NewsCategory,
  updateNewsCategory,
} from '#contract/news-categories.ts';
import { DeleteButton, FormButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const actions = (category: NewsCategory) => (
  <>
    <FormButton endpoint={updateNewsCategory} fields={['name']} initial={category}>
      编辑
    </FormButton>
    <DeleteButton
      endpoint={deleteNewsCategory}
      input={{ id: category.id }}
      what={`新闻分类“${category.name}”`}
    />
  </>
);

/** What news are filed under. */
export function NewsCategoryScreen() {
  return (
    <ListScreen
      endpoint={listNewsCategories}
      columns={['id', 'name']}
      toolbar={
        <FormButton endpoint={addNewsCategory} fields={['name']}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
