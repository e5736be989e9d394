import { type Agent, addAgent, pageAgents, updateAgent } from '#contract/agents.ts';
import { FormButton, ImportButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const rate = { field: 'rate', placeholder: '如 0.005 为千分之五' } as const;
const fields = ['name', 'parentId', 'userId', rate, 'validFrom'] as const;

const actions = (agent: Agent) => (
  <FormButton endpoint={updateAgent} fields={fields} initial={agent}>
    编辑
  </FormButton>
);

/** What was said of an agent's rate before, and what is still to come. */
const Rates = ({ agent }: { agent: Agent }) => (
  <ul className="bet-rates">
    {agent.rates.map((each) => (
      <li key={each.validFrom}>
        自 {each.validFrom} 起 {each.rate}
      </li>
    ))}
  </ul>
);

/** Who brings players, under whom they stand, and what share of turnover they get. */
export function AgentScreen() {
  return (
    <ListScreen
      endpoint={pageAgents}
      search={['id', 'name', 'parentId', 'userId']}
      columns={['id', 'name', 'parentId', 'userId', 'rate', 'validFrom', 'createTime']}
      toolbar={
        <>
          <FormButton
            endpoint={addAgent}
            fields={[{ field: 'id', placeholder: '不填则自动编号' }, ...fields]}
          >
            新增
          </FormButton>
          <ImportButton endpoint={addAgent} />
        </>
      }
      rowActions={actions}
      expand={(agent) => <Rates agent={agent} />}
    />
  );
}
