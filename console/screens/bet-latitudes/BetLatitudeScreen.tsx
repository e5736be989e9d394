import {
  type BetLatitude,
  deleteBetLatitude,
  listResultHandlers,
  pageBetLatitudes,
  updateBetLatitude,
} from '#contract/bet-latitudes.ts';
import { DeleteButton, FormButton, optionsOf } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Button, fetched, openDialog } from '../../kit/overlay/index.ts';
import { latitudeFields } from '../../parts/betting-rules/latitude-fields.tsx';

const handlers = optionsOf(listResultHandlers, { label: 'title', value: 'name' });

const PreviewDialog = fetched(() => import('./PreviewDialog.tsx').then((m) => m.PreviewDialog));

const actions = (latitude: BetLatitude) => (
  <>
    <Button onClick={() => openDialog(<PreviewDialog latitude={latitude} />)}>预览</Button>
    <FormButton
      endpoint={updateBetLatitude}
      fields={latitudeFields(latitude.gameId)}
      initial={latitude}
      width={720}
    >
      编辑
    </FormButton>
    <DeleteButton
      endpoint={deleteBetLatitude}
      input={{ id: latitude.id }}
      what={`投注维度“${latitude.name}”`}
    />
  </>
);

/** Ways to read a game's results; added on the games' screen. */
export function BetLatitudeScreen() {
  return (
    <ListScreen
      endpoint={pageBetLatitudes}
      search={['gameId']}
      columns={[
        { label: '游戏编号', width: 80, render: ({ gameId }) => gameId },
        'gameId',
        'name',
        { field: 'resultIndex', width: 110 },
        { field: 'resultHandlerName', options: handlers },
        { field: 'handlerOptions' },
      ]}
      rowActions={actions}
    />
  );
}
