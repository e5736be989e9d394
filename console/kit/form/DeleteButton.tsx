import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { CommandButton } from './CommandButton.tsx';

interface DeleteButtonProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly input: WireInput<E>;
  /** What is deleted, as the operator knows it: 角色“财务”. */
  readonly what: string;
}

/** 删除, after a popup that names what goes. */
export function DeleteButton<E extends AnyEndpoint>({ endpoint, input, what }: DeleteButtonProps<E>) {
  return (
    <CommandButton endpoint={endpoint} input={input} confirm={`确定删除${what}吗？`} danger bulk>
      删除
    </CommandButton>
  );
}
