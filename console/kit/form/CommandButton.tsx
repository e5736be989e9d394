import { type MouseEvent, type ReactNode, use } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { useCommand } from '../call/use-command.ts';
import { useMay } from '../call/use-menus.ts';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { closePopup } from '../overlay/overlays.ts';
import { askAt } from '../overlay/Question.tsx';
import { useBulk } from './bulk.ts';

interface CommandButtonProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly input: WireInput<E>;
  /** The question asked first, in a popup whose button repeats this button's words. */
  readonly confirm?: string;
  readonly danger?: boolean;
  /** What assistive technology reads where the button's face is no text, such as a star or a tag. */
  readonly label?: string;
  /** Lets it be done to all selected rows alike, under this word; true where the button's own text says it. */
  readonly bulk?: boolean | string;
  /** Called with the answer's data after success. */
  readonly onDone?: (data: Output<E>) => void;
  readonly children: ReactNode;
}

/** Runs a command at a click, asking first if told to. Not there at all for operators without its button code. */
export function CommandButton<E extends AnyEndpoint>(props: CommandButtonProps<E>) {
  const { endpoint, input, confirm, danger = false, label, bulk = false, onDone, children } = props;
  const allowed = useMay(endpoint);
  const place = use(PlaceContext);
  const { run, running } = useCommand(endpoint, { tell: true });
  const word = typeof bulk === 'string' ? bulk : String(children);
  const gathered = useBulk({ endpoint, word, input, fields: [], danger }, bulk !== false);
  if (gathered || !allowed) return null;

  const act = async () => {
    closePopup();
    const data = await run(input);
    if (data !== undefined) onDone?.(data);
  };
  const bare = typeof children !== 'string';
  const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (confirm === undefined) return void act();
    askAt(currentTarget, { text: confirm, word: bare ? '确定' : children, danger, onYes: () => void act() });
  };
  const tone = bare ? 'bare' : danger && place !== 'toolbar' ? 'danger' : 'normal';
  return (
    <Button tone={tone} aria-label={label} title={label} aria-disabled={running} onClick={onClick}>
      {children}
    </Button>
  );
}
