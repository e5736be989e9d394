import {
  addNewsCategory,
  deleteNewsCategory,
  listNewsCategories,
  type NewsCategory,
  updateNewsCategory,
} from '#contract/news-categories.ts';
import { DeleteButton } from '../../kit/DeleteButton.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { ListScreen } from '../../kit/ListScreen.tsx';

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
