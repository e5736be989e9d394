import { explainOperator, explainRole } from '#contract/explanations.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';
import { ExplainedTargets } from './ExplainedTargets.tsx';

interface ExplainDialogProps {
  readonly of: 'operator' | 'role';
  readonly id: number;
  readonly name: string;
  /** What was asked about. */
  readonly target?: string;
}

/** Why an operator, or whoever has a role, can or cannot: page by page and call by call. */
export function ExplainDialog({ of, id, name, target }: ExplainDialogProps) {
  const { data } = useEndpoint(of === 'role' ? explainRole : explainOperator, { id });
  return (
    <Dialog title={`权限说明：${name}`} width={900}>
      {data && <ExplainedTargets explained={data} target={target} />}
    </Dialog>
  );
}
