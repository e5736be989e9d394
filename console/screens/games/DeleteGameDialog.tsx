import { failures } from '#contract/failures.ts';
import { deleteGame, type Game, type GameDependents, getGameDependents } from '#contract/games.ts';
import { useCommand, useEndpoint } from '../../kit/call/index.ts';
import { Button, Dialog, useCloseDialog } from '../../kit/overlay/index.ts';

type Counted = Exclude<keyof GameDependents, 'begun'>;

const sentences: readonly (readonly [Counted, (count: number) => string])[] = [
  ['numbers', (count) => `${count} 个号码`],
  ['betLatitudes', (count) => `${count} 个投注维度`],
  ['playWays', (count) => `${count} 个玩法（含赔率）`],
  ['plans', (count) => `${count} 个开奖计划`],
  ['spiders', (count) => `${count} 个开奖采集`],
];

/** Why a game cannot go; nothing where it can. */
function standing({ records, begun }: GameDependents): string | undefined {
  if (records > 0) return `该游戏已有 ${records} 条开奖记录，不能删除，可以停用。`;
  return begun ? `${failures.gameHasBets.msg}。` : undefined;
}

/** All that goes with a game. */
function goingWith(dependents: GameDependents): string {
  const parts = sentences
    .filter(([name]) => dependents[name] > 0)
    .map(([name, sentence]) => sentence(dependents[name]));
  return parts.length > 0 ? `将一并删除：${parts.join('、')}。` : '没有随之删除的内容。';
}

/** Asks before a game is deleted, naming what goes with it. */
export function DeleteGameDialog({ game: { id, name } }: { readonly game: Game }) {
  const { data } = useEndpoint(getGameDependents, { id });
  const { run, running } = useCommand(deleteGame, { tell: true });
  const close = useCloseDialog();
  const stands = data && standing(data);
  const remove = async () => {
    if ((await run({ id })) !== undefined) close();
  };
  const buttons = (
    <div className="form-buttons">
      <Button onClick={close}>取消</Button>
      {data && stands === undefined && (
        <Button tone="danger" aria-disabled={running} onClick={() => void remove()}>
          删除
        </Button>
      )}
    </div>
  );
  return (
    <Dialog title="删除游戏" footer={buttons}>
      {stands !== undefined && <p>{stands}</p>}
      {data && stands === undefined && (
        <>
          <p>{`确定删除游戏“${name}”吗？`}</p>
          <p>{goingWith(data)}</p>
        </>
      )}
    </Dialog>
  );
}
