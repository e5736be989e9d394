import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { CommandButton } from './CommandButton.tsx';

interface DeleteButtonProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly input: WireInput<E>;
  /** What is deleted, as the operator knows it: 角色“财务”. */
  readonly what: string;
  /** Says so in its name too, where it stands in no row that tells it. */
  readonly named?: boolean;
}

/** 删除, after a popup that names what goes. */
export function DeleteButton<E extends AnyEndpoint>(props: DeleteButtonProps<E>) {
  const { endpoint, input, what, named = false } = props;
  return (
    <CommandButton
      endpoint={endpoint}
      input={input}
      confirm={`确定删除${what}吗？`}
      {...(named ? { label: `删除${what}` } : {})}
      danger
      bulk
    >
      删除
    </CommandButton>
  );
}
