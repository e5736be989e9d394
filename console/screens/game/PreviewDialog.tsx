import type { BetLatitude } from '#contract/bet-latitudes.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { PreviewTable } from './PreviewTable.tsx';

/** A latitude as it is kept, tried on its game's latest results. */
export function PreviewDialog({ latitude }: { readonly latitude: BetLatitude }) {
  const { name, gameId, resultIndex, resultHandlerName, handlerOptions } = latitude;
  const reading = { gameId, resultIndex, resultHandlerName, handlerOptions: handlerOptions ?? undefined };
  return (
    <Dialog title={`预览：${name}`} width={720}>
      <PreviewTable reading={reading} />
    </Dialog>
  );
}
