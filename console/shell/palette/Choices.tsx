import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { findRows } from '#contract/finding.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { usePaused } from '../../kit/form/index.ts';
import { type Choice, type Held, ownChoices, rowChoice } from './commands.ts';

/** What may be reached or done with these words: what the console offers at once, rows as soon as the server has found them. */
function useChoices(
  held: Held,
  text: string,
): { choices: Choice[]; busy: boolean; failed: string | undefined } {
  const asked = usePaused(text.trim());
  const enabled = (asked.length >= 2 || /^\d$/.test(asked)) && asked === text.trim();
  const { data, error, isFetching } = useEndpoint(
    findRows,
    { text: asked },
    { enabled, loading: false, quiet: true },
  );
  const rows = enabled ? (data ?? []).flatMap((row) => rowChoice(row, held.paths) ?? []) : [];
  const busy = isFetching || asked !== text.trim();
  const failed = enabled && !busy ? error?.message : undefined;
  return { choices: [...ownChoices(held, text), ...rows], busy, failed };
}

interface ChoicesProps {
  /** Of the element that holds them. */
  readonly id: string;
  readonly held: Held;
  readonly text: string;
  /** Keys that nobody has heard yet. */
  readonly pressed: readonly string[];
  readonly onHeard: () => void;
  /** Tells the id of the one that Enter chooses. */
  readonly onCurrent: (id: string | undefined) => void;
  readonly onClose: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** What can be chosen by the words typed, and what becomes of the keys pressed meanwhile. */
export function Choices({ id, held, text, pressed, onHeard, onCurrent, onClose }: ChoicesProps) {
  const [moved, setMoved] = useState({ text, at: 0 });
  const { choices, busy, failed } = useChoices(held, text);
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  // Other words, other choices: the first of them is meant.
  const at = moved.text === text ? Math.min(moved.at, choices.length - 1) : 0;
  const current = choices.length > 0 ? `${id}-${at}` : undefined;
  useEffect(() => {
    onCurrent(current);
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [onCurrent, current, at]);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run?.();
    if (choice.to) void navigate(choice.to);
  };
  const hear = useEffectEvent((keys: readonly string[]) => {
    onHeard();
    let place = at;
    for (const key of keys) {
      if (key === 'Enter') return choose(choices[place]);
      place = (place + (steps[key] ?? 0) + choices.length) % Math.max(1, choices.length);
    }
    setMoved({ text, at: place });
  });
  useEffect(() => {
    if (pressed.length > 0) hear(pressed);
  }, [pressed]);

  const found = choices.length === 0 ? '没有找到' : `${choices.length} 项`;
  return (
    <>
      <div ref={list} id={id} role="listbox" aria-label="结果" aria-busy={busy}>
        {choices.map((choice, place) => (
          <ChoiceLine
            key={choice.key}
            {...{ choice, place }}
            id={`${id}-${place}`}
            selected={place === at}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
      <p role="status">{busy ? '正在查找…' : failed ? `用户、订单等查找失败：${failed}` : found}</p>
    </>
  );
}

interface ChoiceLineProps {
  readonly choice: Choice;
  readonly place: number;
  readonly id: string;
  readonly selected: boolean;
  readonly onChoose: () => void;
}

function ChoiceLine({ choice, place, id, selected, onChoose }: ChoiceLineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
    <div id={id} data-at={place} role="option" tabIndex={-1} aria-selected={selected} onClick={onChoose}>
      <span className="palette-group">{choice.group}</span>
      <strong>{choice.title}</strong>
      <span className="palette-detail">{choice.detail}</span>
    </div>
  );
}
