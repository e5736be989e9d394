import { StarFilled, StarOutlined } from '@ant-design/icons';
import { addNews, deleteNews, type News, pageNews, updateNews } from '#contract/news.ts';
import { DeleteButton, FormButton, ImportButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import '../../parts/star.css';

const fields = ['categoryId', 'title', 'important', 'content'] as const;

const Important = ({ important }: News) =>
  important ? (
    <StarFilled className="star-on" aria-label="重要" />
  ) : (
    <StarOutlined className="star-off" aria-label="普通" />
  );

const actions = (news: News) => (
  <>
    <FormButton endpoint={updateNews} fields={fields} initial={news} width={680}>
      编辑
    </FormButton>
    <DeleteButton endpoint={deleteNews} input={{ id: news.id }} what={`新闻“${news.title}”`} />
  </>
);

/** News for the players' site; a row opens to its content. */
export function NewsScreen() {
  return (
    <ListScreen
      endpoint={pageNews}
      search={['categoryId']}
      columns={[
        { field: 'important', width: 64, align: 'center', render: Important },
        { field: 'categoryId', width: 140 },
        'title',
        'createTime',
      ]}
      expand={(news) => news.content}
      toolbar={
        <>
          <FormButton endpoint={addNews} fields={fields} width={680}>
            新增
          </FormButton>
          <ImportButton endpoint={addNews} />
        </>
      }
      rowActions={actions}
    />
  );
}
