import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DetailTable } from './Detail.tsx';

test('the columns of numbers of a small table are told to its style', () => {
  const drawn = renderToStaticMarkup(
    <DetailTable headings={['用户', { number: '金额' }, '时间', { number: '退还' }]}>
      <tr>
        <td>一</td>
      </tr>
    </DetailTable>,
  );
  expect(drawn).toContain('data-ends="2 4"');
  expect([...drawn.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, title]) => title)).toEqual([
    ...['用户', '金额', '时间', '退还'],
  ]);
});

test('a small table without numbers says nothing of them', () => {
  expect(renderToStaticMarkup(<DetailTable headings={['用户']}>{null}</DetailTable>)).not.toContain(
    'data-ends',
  );
});
