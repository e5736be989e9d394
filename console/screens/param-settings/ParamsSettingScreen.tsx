import {
  addParamSetting,
  deleteParamSetting,
  listParamSettings,
  type ParamSetting,
  updateParamSetting,
} from '#contract/param-settings.ts';
import { DeleteButton, FormButton, SwitchInput, Tag } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

/** A value may be empty, which a form says that begins with an empty one. */
const value = { field: 'value', required: false } as const;
const fields = ['title', 'key', value] as const;

const isSwitch = ({ value }: ParamSetting): boolean => value === 'true' || value === 'false';

/** A parameter that is true or false is a switch; one that the system reads keeps its key. */
const fieldsOf = (param: ParamSetting) => [
  'title' as const,
  ...(param.system ? [] : (['key'] as const)),
  isSwitch(param) ? ({ field: 'value', input: SwitchInput } as const) : value,
];

const actions = (param: ParamSetting) => (
  <>
    <FormButton endpoint={updateParamSetting} fields={fieldsOf(param)} initial={param}>
      编辑
    </FormButton>
    {!param.system && (
      <DeleteButton endpoint={deleteParamSetting} input={{ id: param.id }} what={`参数“${param.title}”`} />
    )}
  </>
);

const Value = (param: ParamSetting) =>
  isSwitch(param) ? (
    <Tag tone={param.value === 'true' ? 'good' : 'idle'}>{param.value === 'true' ? '开' : '关'}</Tag>
  ) : (
    param.value
  );

/** System parameters: those the product reads, and those operators keep for themselves. */
export function ParamsSettingScreen() {
  return (
    <ListScreen
      endpoint={listParamSettings}
      columns={['title', 'key', { field: 'value', render: Value }]}
      toolbar={
        <FormButton endpoint={addParamSetting} fields={fields} initial={{ value: '' }}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
