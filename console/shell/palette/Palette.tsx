import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import { isComposing } from '../../kit/form/index.ts';
import { fetched } from '../../kit/overlay/index.ts';
import type { Held } from './commands.ts';
import './palette.css';

/** What can be chosen knows half the contract: it comes when it is first asked for. */
const Choices = fetched(() => import('./Choices.tsx').then((m) => m.Choices));

const moving: readonly string[] = ['ArrowDown', 'ArrowUp', 'Enter'];

interface PaletteProps {
  readonly held: Held;
  readonly onClose: () => void;
}

/**
 * Leads by a few letters to every screen, row and action that an operator may see, by keyboard alone. It takes the focus at once: what is
 * typed while the choices are still on their way is theirs, and not the field's that had the focus before.
 */
export function Palette({ held, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const [current, setCurrent] = useState<string>();
  const [pressed, setPressed] = useState<readonly string[]>([]);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || !moving.includes(event.key)) return;
    event.preventDefault();
    setPressed((before) => [...before, event.key]);
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      data-unlocked
      aria-label="查找"
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <input
        autoFocus
        role="combobox"
        aria-label="查找页面、用户、订单、注单、期号与操作"
        // What is not there yet is nothing that a screen reader could be sent to.
        aria-expanded={current !== undefined}
        aria-controls={current === undefined ? undefined : id}
        aria-activedescendant={current}
        placeholder="页面、用户（编号、姓名、手机号的一部分）、订单与注单的编号或单号、期号、操作"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Suspense fallback={<p role="status">正在查找…</p>}>
        <Choices
          {...{ id, held, text, pressed, onClose }}
          onHeard={() => setPressed([])}
          onCurrent={setCurrent}
        />
      </Suspense>
    </dialog>
  );
}
