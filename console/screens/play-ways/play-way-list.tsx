import { addOdds, deleteOdds, type Odds, putOdds, setOdds, stopOdds, updateOdds } from '#contract/odds.ts';
import { deletePlayWay, type PlayWay, stopPlayWay, updatePlayWay } from '#contract/play-ways.ts';
import { DeleteButton, FormButton, ImportButton, Toggle } from '../../kit/form/index.ts';
import { Button, fetched, openDialog } from '../../kit/overlay/index.ts';
import { playWayFields } from '../../parts/betting-rules/play-way-fields.ts';
import { ReturnHint } from '../../parts/betting-rules/ReturnHint.tsx';
import { ImportedOdds } from './ImportedOdds.tsx';
import { MarginHint } from './MarginHint.tsx';
import { NewOdds } from './NewOdds.tsx';
import { OddsInput } from './OddsInput.tsx';
import { OddsTableInput } from './OddsTableInput.tsx';

/** The list is a tree: below a play way stand its odds. */
type Row = PlayWay | Odds;
const isOdds = (row: object): row is Odds => 'numberId' in row;

/** What an edit sends of a play way: what its outcomes return is told, not kept. */
const editable = ({ outcomes, ...playWay }: PlayWay) => ({
  ...playWay,
  outcomes: outcomes.map(({ name, odds }) => ({ name, odds })),
});

const SandboxDialog = fetched(() => import('./SandboxDialog.tsx').then((m) => m.SandboxDialog));

const topActions = (playWay: PlayWay) => (
  <>
    {playWay.oddsFrom !== 'OUTCOME' && (
      <>
        <FormButton
          endpoint={addOdds}
          fields={['numberIds', { field: 'odds', required: true, input: OddsInput }]}
          initial={{ playWayId: playWay.id }}
        >
          新增赔率
        </FormButton>
        <FormButton
          endpoint={setOdds}
          fields={[{ field: 'rows', input: (props) => <OddsTableInput {...props} playWay={playWay} /> }]}
          initial={{ playWayId: playWay.id }}
          title="赔率表"
          width={760}
        >
          赔率表
        </FormButton>
        <ImportButton
          endpoint={putOdds}
          given={{ playWayId: playWay.id }}
          within={{ gameId: playWay.gameId }}
          outlook={(changes) => <ImportedOdds playWay={playWay} changes={changes} />}
        >
          导入赔率
        </ImportButton>
      </>
    )}
    <Button onClick={() => openDialog(<SandboxDialog playWay={playWay} />)}>试算</Button>
    <FormButton endpoint={updatePlayWay} fields={playWayFields} initial={editable(playWay)} width={760}>
      编辑
    </FormButton>
    <DeleteButton
      endpoint={deletePlayWay}
      input={{ id: playWay.id }}
      what={`玩法“${playWay.name}”${playWay.odds.length > 0 ? `和它的 ${playWay.odds.length} 个赔率` : ''}`}
    />
  </>
);

const countOf = ({ odds, outcomes }: PlayWay): string =>
  outcomes.length > 0 ? `${outcomes.length} 个结果` : `${odds.length} 个`;

/** The odds of what can be won, or what all numbers together leave the house. */
function oddsText({ outcomes, margin }: PlayWay) {
  const [first, second] = outcomes;
  if (first === undefined) return <MarginHint margin={margin} />;
  // A single outcome is called like its play way.
  return second === undefined ? first.odds : outcomes.map(({ name, odds }) => `${name} ${odds}`).join('、');
}

/** Stops or resumes betting on a play way or a number, with one click. */
function Stop({ row }: { readonly row: Row }) {
  const { id, stopped } = row;
  const what = isOdds(row) ? `号码“${row.number}”` : `玩法“${row.name}”`;
  return (
    <Toggle
      endpoint={isOdds(row) ? stopOdds : stopPlayWay}
      input={{ id, stopped: !stopped }}
      state={stopped ? '已停押' : '可投注'}
      tone={stopped ? 'bad' : 'good'}
      label={`${stopped ? '恢复' : '停押'}${what}`}
      bulk={stopped ? '恢复投注' : '停押'}
    />
  );
}

/** What can be done with a line of the tree. */
export const playWayActions = (row: Row) =>
  isOdds(row) ? (
    <>
      <FormButton
        endpoint={updateOdds}
        fields={['odds']}
        initial={{ id: row.id, version: row.version, odds: row.odds }}
        title="设赔率"
        outlook={(rows, { odds }) => <NewOdds rows={rows.filter(isOdds)} entered={odds} />}
        bulk
      >
        设赔率
      </FormButton>
      <DeleteButton endpoint={deleteOdds} input={{ id: row.id }} what={`号码“${row.number}”的赔率`} />
    </>
  ) : (
    topActions(row)
  );

/** What tells a line from others: a play way by its name, odds by their number. */
export const playWayAbout = [
  'name',
  { label: '号码', render: (row: Row) => (isOdds(row) ? row.number : null) },
] as const;

/** The columns of the tree of play ways and odds. */
export const playWayColumns = [
  // What opens a play way stands before the name.
  { field: 'gameId', least: 100 },
  'categoryId',
  { field: 'name', least: 104 },
  { field: 'showRate', width: 96 },
  {
    label: '号码',
    width: 96,
    least: 68,
    render: (row: Row) => (isOdds(row) ? row.number : countOf(row)),
  },
  {
    label: '赔率',
    width: 172,
    least: 166,
    align: 'end',
    render: (row: Row) => (isOdds(row) ? row.odds : oddsText(row)),
  },
  {
    label: '返还率',
    width: 128,
    least: 118,
    render: (row: Row) => <ReturnHint rate={row.returnRate} />,
  },
  {
    field: 'stopped',
    label: '停押',
    width: 84,
    render: (row: Row) => <Stop row={row} />,
  },
] as const;
