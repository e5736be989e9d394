import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { useMay } from '../call/use-menus.ts';
import { CommandButton } from './CommandButton.tsx';
import { Tag } from './Tag.tsx';
import type { Tone } from './tones.ts';

interface ToggleProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly input: WireInput<E>;
  /** How it stands now, in a word. */
  readonly state: string;
  readonly tone: Tone;
  /** What a click does, as in 停用游戏“福彩3D”. */
  readonly label: string;
  /** Offers it for all selected rows, under this word. */
  readonly bulk?: string;
}

/** How a row stands, as a tag that one click changes; for whoever may not, the tag alone. */
export function Toggle<E extends AnyEndpoint>(props: ToggleProps<E>) {
  const { endpoint, input, state, tone, label, bulk = false } = props;
  const face = <Tag tone={tone}>{state}</Tag>;
  const may = useMay(endpoint);
  if (!may) return face;
  // What is read aloud holds what is seen as a word of its own, so that it can be said to press it.
  return (
    <CommandButton endpoint={endpoint} input={input} label={`${label} ${state}`} bulk={bulk}>
      {face}
    </CommandButton>
  );
}
