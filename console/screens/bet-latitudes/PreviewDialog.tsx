import type { BetLatitude } from '#contract/bet-latitudes.ts';
import { Dialog } from '../../kit/overlay/index.ts';
import { PreviewTable } from '../../parts/betting-rules/PreviewTable.tsx';

/** A latitude as it is kept, tried on its game's latest results. */
export function PreviewDialog({ latitude }: { readonly latitude: BetLatitude }) {
  const { id, name, gameId, resultIndex, resultHandlerName, handlerOptions } = latitude;
  const options = handlerOptions ?? undefined;
  const reading = { gameId, id, resultIndex, resultHandlerName, handlerOptions: options };
  return (
    <Dialog title={`预览：${name}`} width={720}>
      <PreviewTable reading={reading} />
    </Dialog>
  );
}
