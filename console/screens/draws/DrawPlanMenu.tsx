import { cleanDrawPlans, cleanDrawPlansExceptToday, generateDrawPlans } from '#contract/draw-plans.ts';
import { CommandButton } from '../../kit/CommandButton.tsx';
import { MenuButton } from '../../kit/MenuButton.tsx';
import { platformZone, wallClock } from '../../kit/platform-zone.ts';

const DAY_MS = 86_400_000;

/** A day of the platform from its first second to its last; 0 is today. */
function dayFromToday(days: number): [begin: string, end: string] {
  const today = wallClock(new Date(), platformZone()).slice(0, 10);
  const day = new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return [`${day} 00:00:00`, `${day} 23:59:59`];
}

/** Days are counted when the menu opens: a console may stay open over midnight. */
function Items({ id, name }: { readonly id: number; readonly name: string }) {
  const days = [
    { word: '今日', range: dayFromToday(0) },
    { word: '明日', range: dayFromToday(1) },
  ];
  return (
    <>
      {days.map(({ word, range: [beginDate, endDate] }) => (
        <CommandButton
          key={word}
          endpoint={generateDrawPlans}
          input={{ gameId: id, beginDate, endDate }}
          confirm={`重新生成“${name}”${word}的开奖计划？尚未开奖的计划会被替换。`}
        >
          {`重新生成${word}计划`}
        </CommandButton>
      ))}
      {days.map(({ word, range }) => (
        <CommandButton
          key={word}
          endpoint={cleanDrawPlans}
          input={{ gameId: id, startTimeRange: range }}
          confirm={`清除“${name}”${word}尚未开奖的计划？`}
          danger
        >
          {`清除${word}计划`}
        </CommandButton>
      ))}
      <CommandButton
        endpoint={cleanDrawPlansExceptToday}
        input={{ gameId: id }}
        confirm={`清除“${name}”今日以外尚未开奖的计划？`}
        danger
      >
        清除今日以外的计划
      </CommandButton>
      <CommandButton
        endpoint={cleanDrawPlans}
        input={{ gameId: id }}
        confirm={`清除“${name}”全部尚未开奖的计划？`}
        danger
      >
        清除全部计划
      </CommandButton>
    </>
  );
}

/** The six draw-plan actions of a game. */
export function DrawPlanMenu({ game }: { readonly game: { readonly id: number; readonly name: string } }) {
  return (
    <MenuButton label="开奖计划">
      <Items id={game.id} name={game.name} />
    </MenuButton>
  );
}
