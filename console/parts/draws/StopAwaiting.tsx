import { stopAwaitingDraw } from '#contract/draw-plans.ts';
import { FormButton } from '../../kit/form/index.ts';

/** Ends the waiting for a late phase; refused while slips of it wait for their money. */
export const StopAwaiting = ({ id, phase }: { readonly id: number; readonly phase: string }) => (
  <FormButton
    endpoint={stopAwaitingDraw}
    fields={['reason']}
    initial={{ id }}
    title={`不再等待期号 ${phase} 的开奖结果（来源之后给出的照常记录）`}
  >
    不再等待
  </FormButton>
);
