import {
  addParamSetting,
  deleteParamSetting,
  listParamSettings,
  type ParamSetting,
  updateParamSetting,
} from '#contract/params-settings.ts';
import { DeleteButton } from '../../kit/DeleteButton.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { ListScreen } from '../../kit/ListScreen.tsx';

const fields = ['title', 'key', 'value'] as const;

const actions = (param: ParamSetting) => (
  <>
    <FormButton endpoint={updateParamSetting} fields={fields} initial={param}>
      编辑
    </FormButton>
    <DeleteButton endpoint={deleteParamSetting} input={{ id: param.id }} what={`参数“${param.title}”`} />
  </>
);

/** System parameters: those the product reads, and those operators keep for themselves. */
export function ParamsSettingScreen() {
  return (
    <ListScreen
      endpoint={listParamSettings}
      columns={['title', 'key', 'value']}
      toolbar={
        <FormButton endpoint={addParamSetting} fields={fields}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
