import { pageAnchors, type SealAnchor } from '#contract/anchors.ts';
import { Detail, ListScreen } from '../../kit/list/index.ts';

const AnchorDetail = ({ anchor }: { readonly anchor: SealAnchor }) => (
  <Detail parts={[['锚点内容', <code key="content">{anchor.content}</code>]]} />
);

/** Where all seals ended, time after time, and whether it went out; a row opens to what is kept elsewhere. */
export function AnchorScreen() {
  return (
    <ListScreen
      endpoint={pageAnchors}
      search={['code', 'createTimeRange']}
      columns={[
        { field: 'id', width: 90 },
        'createTime',
        { field: 'code', width: 220 },
        'rows',
        'mailTime',
        'webhookTime',
        'problem',
      ]}
      expand={(anchor: SealAnchor) => <AnchorDetail anchor={anchor} />}
    />
  );
}
