import type { PlayWayPreview } from '#contract/play-ways.ts';
import { type InputProps, NumberInput, TextInput } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { PlayPreview } from './PlayPreview.tsx';
import { ReturnHint } from './ReturnHint.tsx';
import './betting-rules.css';

interface Outcome {
  readonly name: string;
  readonly odds: string;
}

interface LinesProps {
  readonly outcomes: readonly Outcome[];
  readonly told: PlayWayPreview | undefined;
  readonly onChange: (outcomes: readonly Outcome[]) => void;
}

function Lines({ outcomes, told, onChange }: LinesProps) {
  const change = (place: number, changes: Partial<Outcome>) =>
    onChange(outcomes.map((outcome, each) => (each === place ? { ...outcome, ...changes } : outcome)));
  return outcomes.map(({ name, odds }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
    <div className="rule-part" key={place}>
      <TextInput
        aria-label={`第 ${place + 1} 个中奖结果`}
        value={name}
        onChange={(text) => change(place, { name: text })}
      />
      <NumberInput
        aria-label={`${name}的赔率`}
        value={odds}
        onChange={(text) => change(place, { odds: text })}
      />
      <ReturnHint rate={told?.outcomes.find((each) => each.name === name)?.returnRate ?? null} />
      <Button onClick={() => onChange(outcomes.filter((_, each) => each !== place))}>移除</Button>
    </div>
  ));
}

/** Odds by what is won, what they return while they are typed, and a bet tried on the latest results. */
export function OutcomesInput({ value, values, onChange }: InputProps) {
  const outcomes: readonly Outcome[] = Array.isArray(value) ? value : [];
  const name = outcomes.length === 0 && typeof values.name === 'string' ? values.name : '';
  return (
    <div className="rule-details">
      <PlayPreview values={values}>
        {(told) =>
          values.oddsFrom === 'OUTCOME' && (
            <>
              <Lines outcomes={outcomes} told={told} onChange={onChange} />
              <Button onClick={() => onChange([...outcomes, { name, odds: '' }])}>增加中奖结果</Button>
              <p className="rule-note">只分中与不中的玩法只有一行，名为玩法名称；其余每个奖级一行。</p>
            </>
          )
        }
      </PlayPreview>
    </div>
  );
}
