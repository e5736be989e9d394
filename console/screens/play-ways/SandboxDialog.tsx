import { useId, useState } from 'react';
import { type BetLatitude, listBetLatitudesByPlayWayCategory } from '#contract/bet-latitudes.ts';
import type { PlayWay } from '#contract/play-ways.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { TextInput } from '../../kit/form/index.ts';
import { Button, Dialog } from '../../kit/overlay/index.ts';
import { SandboxTable, type Trial } from '../../parts/betting-rules/SandboxTable.tsx';
import { useTried } from '../../parts/betting-rules/use-tried.ts';

const trialOf = (playWay: PlayWay, latitude: BetLatitude, result: string): Trial => ({
  ...{ gameId: playWay.gameId, id: playWay.betLatitudeId, playWayId: playWay.id },
  ...{ resultIndex: latitude.resultIndex, resultHandlerName: latitude.resultHandlerName },
  ...{ handlerOptions: latitude.handlerOptions ?? undefined, result: result || undefined },
});

/** The real slips of a play way by another latitude of its game, or by its own on a result that is typed. */
export function SandboxDialog({ playWay }: { readonly playWay: PlayWay }) {
  const [ruleId, resultId] = [useId(), useId()];
  const { data = [] } = useEndpoint(listBetLatitudesByPlayWayCategory, { id: playWay.subCategoryId });
  const [chosen, setChosen] = useState(playWay.betLatitudeId);
  const [typed, setTyped] = useState('');
  const [trial, trySlips] = useTried<Trial>();
  const latitude = data.find(({ id }) => id === chosen);
  return (
    <Dialog title={`试算：${playWay.name}`} width={860}>
      <div className="rule-part">
        <label htmlFor={ruleId}>投注维度</label>
        <select
          id={ruleId}
          className="input"
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <label htmlFor={resultId}>指定结果</label>
        <TextInput id={resultId} value={typed} placeholder="留空为各期自己的结果" onChange={setTyped} />
        <Button disabled={!latitude} onClick={() => latitude && trySlips(trialOf(playWay, latitude, typed))}>
          用真实注单试算
        </Button>
      </div>
      {trial && <SandboxTable trial={trial.what} times={trial.times} />}
    </Dialog>
  );
}
