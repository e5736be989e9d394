import { type ClipboardEvent, useState } from 'react';
import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import type { PlayWay } from '#contract/play-ways.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { type InputProps, NumberInput } from '../../kit/form/index.ts';
import { ReturnHint } from '../../parts/betting-rules/ReturnHint.tsx';
import { OddsOutlook, useOutlook } from './OddsOutlook.tsx';
import { OddsTools } from './OddsTools.tsx';
import { type OddsLine, pastedInto } from './odds-table.ts';
import '../../parts/betting-rules/betting-rules.css';

interface Entered {
  readonly numberId: number;
  readonly odds: string;
  readonly seen: string | undefined;
}

const enteredIn = (value: unknown): readonly Entered[] => (Array.isArray(value) ? value : []);

/** Every number of the game, with the odds it has and those that are entered; those first that have some, which is what a play way pays on. */
function useLines({ gameId, odds }: PlayWay, value: unknown): readonly OddsLine[] {
  const { data = [] } = useEndpoint(listGameNumbersByGame, { id: gameId });
  const entered = new Map(enteredIn(value).map((row) => [row.numberId, row]));
  const present = new Map(odds.map((row) => [row.numberId, row.odds]));
  const inOrder = data.toSorted((one, other) => Number(present.has(other.id)) - Number(present.has(one.id)));
  return inOrder.map(({ id: numberId, number }) => {
    const row = entered.get(numberId);
    const seen = row ? row.seen : present.get(numberId);
    return { numberId, number, seen, odds: row?.odds ?? seen ?? '' };
  });
}

/** The odds of a play way as a table: typed, pasted from a spreadsheet or multiplied, with what they would return before they are saved. */
export function OddsTableInput({ id, value, onChange, playWay }: InputProps & { readonly playWay: PlayWay }) {
  const lines = useLines(playWay, value);
  const [problem, setProblem] = useState<string>();
  const outlook = useOutlook(playWay.id, enteredIn(value));

  /** Only what differs from what is there is sent. */
  const enter = (odds: ReadonlyMap<number, string>) => {
    setProblem(undefined);
    const next = lines.map((line) => ({ ...line, odds: odds.get(line.numberId) ?? line.odds }));
    const other = next.filter((line) => line.odds !== (line.seen ?? ''));
    onChange(other.map(({ numberId, odds: typed, seen }) => ({ numberId, odds: typed, seen })));
  };
  const paste = (text: string, from: number) => {
    const read = pastedInto(lines, text, from);
    if ('odds' in read) enter(read.odds);
    else setProblem(read.problem);
  };
  const onPaste = (event: ClipboardEvent, from: number) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\t\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    paste(text, from);
  };

  return (
    <div id={id} className="odds-table">
      <OddsTools lines={lines} onEnter={enter} onPaste={(text) => paste(text, 0)} />
      {problem && (
        <p className="form-error" role="alert">
          {problem}
        </p>
      )}
      <OddsOutlook outlook={outlook} count={enteredIn(value).length} />
      <table>
        <thead>
          <tr>
            {['号码', '现赔率', '新赔率', '返还率'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ numberId, number, seen, odds }, at) => (
            <tr key={numberId} data-changed={odds !== (seen ?? '') || undefined}>
              <th scope="row">{number}</th>
              <td>{seen ?? '—'}</td>
              <td>
                <NumberInput
                  aria-label={`${number} 的新赔率`}
                  value={odds}
                  onChange={(text) => enter(new Map([[numberId, text.trim()]]))}
                  onPaste={(event) => onPaste(event, at)}
                />
              </td>
              <td>
                <ReturnHint rate={outlook.rateOf(numberId)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
