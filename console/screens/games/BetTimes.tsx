import { type BetTimeRange, deleteBetTimeRange, type Game } from '#contract/games.ts';
import { WEEKDAYS } from '#contract/list-fields.ts';
import { CommandButton } from '../../kit/form/index.ts';
import { Absent, PlaceContext } from '../../kit/overlay/index.ts';
import '../../parts/betting-rules/betting-rules.css';

const daysOf = ({ weekdays = [] }: BetTimeRange): string =>
  weekdays.map((day) => WEEKDAYS[day - 1]).join('、');

/** A betting time in one line, such as `周二、周四 20:00:00-21:00:00`. */
const textOf = (range: BetTimeRange): string => `${daysOf(range)} ${range.start}-${range.end}`.trim();

/** The betting times of a game, each with its removal. */
export function BetTimes({ timeRanges }: Game) {
  if (timeRanges.length === 0) return <Absent />;
  return (
    <PlaceContext value="row">
      <ul className="bet-times">
        {timeRanges.map((range) => (
          <li key={range.id}>
            <span>
              {`${range.start}-${range.end}`}
              {range.openRate !== undefined && <small>{`/${range.openRate} 秒`}</small>}
              {range.weekdays !== undefined && <small className="bet-days">{daysOf(range)}</small>}
            </span>
            <CommandButton
              endpoint={deleteBetTimeRange}
              input={{ id: range.id }}
              confirm={`确定删除投注时间 ${textOf(range)} 吗？`}
              label={`删除投注时间 ${textOf(range)}`}
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
