import type { ReactNode } from 'react';
import { MenuButton } from './MenuButton.tsx';
import './decision.css';

interface DecisionProps {
  /** Whether the row still waits for it. */
  readonly waits: boolean;
  /** What became of the row, by whom, and whatever else there is to tell, which shows under the mouse. */
  readonly outcome?: {
    readonly word: string;
    readonly tone: 'good' | 'bad';
    readonly by: string | null;
    readonly told: readonly (string | null)[];
  };
  /** What the menu of the ways is called; without it they stand side by side. */
  readonly label?: string;
  /** The ways to decide it: buttons. */
  readonly children: ReactNode;
}

/** A decision about a row: the ways to decide it while it waits, and afterwards what became of it where they were. */
export function Decision({ waits, outcome, label, children }: DecisionProps) {
  if (waits) return label === undefined ? children : <MenuButton label={label}>{children}</MenuButton>;
  if (!outcome) return null;
  const { word, tone, by, told } = outcome;
  return (
    <span className="decision" title={[by, ...told].filter((part) => part !== null).join('　')}>
      <b data-tone={tone}>{word}</b>
      <span>{by}</span>
    </span>
  );
}
