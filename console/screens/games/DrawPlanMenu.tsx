import { cleanDrawPlans, cleanDrawPlansExceptToday } from '#contract/draw-plans.ts';
import type { Game } from '#contract/games.ts';
import { platformZone, serverNow, wallClock } from '../../kit/call/index.ts';
import { CommandButton, MenuButton } from '../../kit/form/index.ts';
import { Button, closePopup, openDialog } from '../../kit/overlay/index.ts';
import { PlanOutlookDialog } from './PlanOutlookDialog.tsx';

/** First and last second of the platform's day that many days from now. */
function dayWindow(daysAhead: number): [string, string] {
  const today = new Date(`${wallClock(serverNow(), platformZone()).slice(0, 10)}T00:00:00Z`);
  const day = new Date(today.getTime() + daysAhead * 86_400_000).toISOString().slice(0, 10);
  return [`${day} 00:00:00`, `${day} 23:59:59`];
}

/** Made when the menu opens, so that today is today also on a page left open over midnight. */
function Items({ game: { id: gameId, name } }: { readonly game: Game }) {
  const days = [
    { word: '今日', window: dayWindow(0) },
    { word: '明日', window: dayWindow(1) },
  ];
  return (
    <>
      {days.map(({ word, window: [beginDate, endDate] }) => (
        <Button
          key={word}
          onClick={() => {
            closePopup();
            openDialog(
              <PlanOutlookDialog title={`${name}：${word}计划`} asked={{ gameId, beginDate, endDate }} />,
            );
          }}
        >
          {`重新生成${word}计划`}
        </Button>
      ))}
      {days.map(({ word, window }) => (
        <CommandButton
          key={word}
          endpoint={cleanDrawPlans}
          input={{ gameId, startTimeRange: window }}
          confirm={`确定清除“${name}”${word}待开奖的计划吗？`}
          danger
        >
          {`清除${word}计划`}
        </CommandButton>
      ))}
      <CommandButton
        endpoint={cleanDrawPlansExceptToday}
        input={{ gameId }}
        confirm={`确定清除“${name}”今日以外待开奖的计划吗？`}
        danger
      >
        清除今日以外计划
      </CommandButton>
      <CommandButton
        endpoint={cleanDrawPlans}
        input={{ gameId }}
        confirm={`确定清除“${name}”全部待开奖的计划吗？`}
        danger
      >
        清除全部计划
      </CommandButton>
    </>
  );
}

/** What can be done with the draw plans of a game. */
export const DrawPlanMenu = ({ game }: { readonly game: Game }) => (
  <MenuButton label="开奖计划">
    <Items game={game} />
  </MenuButton>
);
