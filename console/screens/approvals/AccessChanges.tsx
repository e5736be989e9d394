import type { AccessChange } from '#contract/approvals.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import './access-changes.css';

const Rights = ({ words }: { readonly words: readonly string[] }) =>
  words.length === 0 ? (
    <Absent />
  ) : (
    <ul className="access-changes">
      {words.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );

/** Everybody whose access a change means, and what they may do by it and no longer. */
export const AccessChanges = ({ changes }: { readonly changes: readonly AccessChange[] }) => (
  <>
    <p>{`放行后 ${changes.length} 名操作员的权限有变化；提交之后有任何不同，都不能放行：`}</p>
    <DetailTable label="权限变化" headings={['操作员', '获得的权限', '失去的权限']}>
      {changes.map(({ operatorId, userName, gained, lost }) => (
        <tr key={operatorId}>
          <td>{userName}</td>
          <td>
            <Rights words={gained} />
          </td>
          <td>
            <Rights words={lost} />
          </td>
        </tr>
      ))}
    </DetailTable>
  </>
);
