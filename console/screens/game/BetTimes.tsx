import { deleteBetTimeRange, type Game } from '#contract/games.ts';
import { PlaceContext } from '../../kit/Button.tsx';
import { CommandButton } from '../../kit/CommandButton.tsx';
import './game.css';

/** The betting times of a game, each with its removal. */
export function BetTimes({ timeRanges }: Game) {
  if (timeRanges.length === 0) return <span className="list-absent">—</span>;
  return (
    <PlaceContext value="row">
      <ul className="bet-times">
        {timeRanges.map(({ id, start, end, openRate }) => (
          <li key={id}>
            {`${start}-${end}`}
            {openRate !== undefined && <small>{`/${openRate}秒`}</small>}
            <CommandButton
              endpoint={deleteBetTimeRange}
              input={{ id }}
              confirm={`确定删除投注时间 ${start}-${end} 吗？`}
              label={`删除投注时间 ${start}-${end}`}
              danger
            >
              删除
            </CommandButton>
          </li>
        ))}
      </ul>
    </PlaceContext>
  );
}
