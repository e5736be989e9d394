import {
  addRebateRate,
  deleteRebateRate,
  pageRebateRates,
  type RebateRate,
  updateRebateRate,
} from '#contract/rebates.ts';
import { DeleteButton, FormButton, ImportButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const rate = { field: 'rate', help: '返水比例', placeholder: '如 0.005 为千分之五' } as const;
const validFrom = { field: 'validFrom', help: '生效日' } as const;
const fields = ['level', 'categoryId', rate, validFrom] as const;

const actions = (each: RebateRate) => (
  <>
    <FormButton endpoint={updateRebateRate} fields={fields} initial={each}>
      编辑
    </FormButton>
    <DeleteButton
      endpoint={deleteRebateRate}
      input={{ id: each.id }}
      what={`等级 ${each.level} 自 ${each.validFrom} 起的返水比例`}
    />
  </>
);

/** What share of turnover players get back, by level and category of games. */
export function RebateRateScreen() {
  return (
    <ListScreen
      endpoint={pageRebateRates}
      search={['level', 'categoryId']}
      columns={['level', 'categoryId', 'rate', 'validFrom']}
      toolbar={
        <>
          <FormButton endpoint={addRebateRate} fields={fields}>
            新增
          </FormButton>
          <ImportButton endpoint={addRebateRate} />
        </>
      }
      rowActions={actions}
    />
  );
}
