import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { findRows } from '#contract/finding.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { usePaused } from '../../kit/form/index.ts';
import { type Choice, type Held, ownChoices, rowChoice } from './commands.ts';
import './palette.css';

interface PaletteProps {
  readonly held: Held;
  readonly onClose: () => void;
}

/** What may be reached or done with these words: what the console offers at once, rows as soon as the server has found them. */
function useChoices(held: Held, text: string): { choices: Choice[]; busy: boolean } {
  const asked = usePaused(text.trim());
  const enabled = asked.length >= 2 && asked === text.trim();
  const { data, isFetching } = useEndpoint(
    findRows,
    { text: asked },
    { enabled, loading: false, quiet: true },
  );
  const rows = enabled ? (data ?? []).flatMap((row) => rowChoice(row, held.paths) ?? []) : [];
  return { choices: [...ownChoices(held, text), ...rows], busy: isFetching || asked !== text.trim() };
}

/** Leads by a few letters to every screen, row and action that an operator may see, by keyboard alone. */
export function Palette({ held, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { choices, busy } = useChoices(held, text);
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const current = Math.min(at, choices.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run?.();
    if (choice.to) void navigate(choice.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) choose(choices[current]);
    else setAt((current + step + choices.length) % Math.max(1, choices.length));
  };
  const isEmpty = choices.length === 0 && !busy;
  return (
    <dialog ref={dialog} className="palette" aria-label="查找" onClose={onClose} onKeyDown={onKeyDown}>
      <input
        autoFocus
        role="combobox"
        aria-label="查找页面、用户、订单、注单、期号与操作"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={choices.length > 0 ? `${id}-${current}` : undefined}
        placeholder="页面、用户（编号、姓名、手机号的一部分）、订单号、注单号、期号、操作"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
      />
      <div ref={list} id={id} role="listbox" aria-label="结果" aria-busy={busy}>
        {choices.map((choice, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
          <div
            key={choice.key}
            id={`${id}-${place}`}
            data-at={place}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            onClick={() => choose(choice)}
          >
            <span className="palette-group">{choice.group}</span>
            <strong>{choice.title}</strong>
            <span className="palette-detail">{choice.detail}</span>
          </div>
        ))}
      </div>
      <p role="status">{isEmpty ? '没有找到' : busy ? '正在查找…' : `${choices.length} 项`}</p>
    </dialog>
  );
}
