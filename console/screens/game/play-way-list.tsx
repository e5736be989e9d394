import { listBetLatitudesByPlayWayCategory } from '#contract/bet-latitudes.ts';
import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import { addOdds, deleteOdds, type Odds } from '#contract/odds.ts';
import { pagePlayWayCategories } from '#contract/play-way-categories.ts';
import { deletePlayWay, type PlayWay, updatePlayWay } from '#contract/play-ways.ts';
import { DeleteButton } from '../../kit/DeleteButton.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { optionsOf } from '../../kit/options.ts';
import { games } from './choices.ts';
import { MarginHint } from './MarginHint.tsx';
import { OddsInput } from './OddsInput.tsx';
import { playWayFields } from './play-way-fields.ts';
import { ReturnHint } from './ReturnHint.tsx';

/** The list is a tree: below a play way stand its odds. */
type Row = PlayWay | Odds;
const isOdds = (row: Row): row is Odds => 'numberId' in row;

const categories = optionsOf(pagePlayWayCategories, { label: 'name', children: 'subCategories' });

const topActions = (playWay: PlayWay) => {
  const numbers = optionsOf(listGameNumbersByGame, { label: 'number', input: { id: playWay.gameId } });
  const latitudes = optionsOf(listBetLatitudesByPlayWayCategory, {
    label: 'name',
    input: { id: playWay.subCategoryId },
  });
  return (
    <>
      {playWay.oddsFrom !== 'OUTCOME' && (
        <FormButton
          endpoint={addOdds}
          fields={[
            { field: 'numberIds', options: numbers },
            { field: 'odds', required: true, input: OddsInput },
          ]}
          initial={{ playWayId: playWay.id }}
        >
          新增赔率
        </FormButton>
      )}
      <FormButton endpoint={updatePlayWay} fields={playWayFields(latitudes)} initial={playWay} width={760}>
        编辑
      </FormButton>
      <DeleteButton
        endpoint={deletePlayWay}
        input={{ id: playWay.id }}
        what={`玩法“${playWay.name}”${playWay.odds.length > 0 ? `和它的 ${playWay.odds.length} 个赔率` : ''}`}
      />
    </>
  );
};

const countOf = ({ odds, outcomes }: PlayWay): string =>
  outcomes.length > 0 ? `${outcomes.length} 个结果` : `${odds.length} 个`;

/** The odds of what can be won, or what all numbers together leave the house. */
const oddsText = ({ outcomes, margin }: PlayWay) =>
  outcomes.length > 0 ? (
    outcomes.map(({ name, odds }) => `${name} ${odds}`).join('、')
  ) : (
    <MarginHint margin={margin} />
  );

/** What can be done with a line of the tree. */
export const playWayActions = (row: Row) =>
  isOdds(row) ? (
    <DeleteButton endpoint={deleteOdds} input={{ id: row.id }} what={`号码“${row.number}”的赔率`} />
  ) : (
    topActions(row)
  );

/** The columns of the tree of play ways and odds. */
export const playWayColumns = [
  { field: 'gameId', options: games },
  { field: 'categoryId', options: categories },
  'name',
  { field: 'showRate', width: 110 },
  {
    label: '号码',
    width: 130,
    render: (row: Row) => (isOdds(row) ? row.number : countOf(row)),
  },
  {
    label: '赔率',
    width: 196,
    align: 'end',
    render: (row: Row) => (isOdds(row) ? row.odds : oddsText(row)),
  },
  {
    label: '返还率',
    width: 120,
    render: (row: Row) => <ReturnHint rate={row.returnRate} />,
  },
] as const;
