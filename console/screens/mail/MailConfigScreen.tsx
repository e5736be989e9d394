import { StarFilled, StarOutlined } from '@ant-design/icons';
import {
  activateMailConfig,
  addMailConfig,
  deleteMailConfig,
  listMailConfigs,
  type MailConfig,
  sendTestMail,
  updateMailConfig,
} from '#contract/mail-configs.ts';
import { CommandButton, DeleteButton, FormButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Button, fetched, openDialog } from '../../kit/overlay/index.ts';
import '../../parts/star.css';

const Preview = fetched(() => import('./MailPreview.tsx').then((m) => m.MailPreview));

const hint = '首行写“主题：…”为邮件主题，{{code}} 等为变量，支持 HTML';
const fields = [
  'host',
  'port',
  'password',
  'username',
  'enableStarttls',
  { field: 'registerTemplate', help: '六个模板', placeholder: hint },
  'loginTemplate',
  'addReceiveAccountTemplate',
  'changeLoginPasswordTemplate',
  'changeSecondPasswordTemplate',
  'withdrawTemplate',
] as const;

const Active = ({ id, host, active }: MailConfig) =>
  active ? (
    <StarFilled className="star-on" aria-label="使用中" />
  ) : (
    <CommandButton endpoint={activateMailConfig} input={{ id }} label={`启用 ${host}`}>
      <StarOutlined className="star-off" />
    </CommandButton>
  );

const actions = (config: MailConfig) => (
  <>
    <FormButton endpoint={updateMailConfig} fields={fields} initial={config} width={680}>
      编辑
    </FormButton>
    <Button onClick={() => openDialog(<Preview config={config} />)}>预览</Button>
    <FormButton
      endpoint={sendTestMail}
      fields={[{ field: 'to', label: '收件地址' }]}
      initial={{ id: config.id }}
      title={`测试邮件：${config.host}`}
    >
      测试邮件
    </FormButton>
    {!config.active && (
      <DeleteButton endpoint={deleteMailConfig} input={{ id: config.id }} what={`邮件配置“${config.host}”`} />
    )}
  </>
);

/** The SMTP servers mails may leave by; the one with the star is in use. */
export function MailConfigScreen() {
  return (
    <ListScreen
      endpoint={listMailConfigs}
      columns={[
        { field: 'active', width: 88, align: 'center', render: Active },
        'host',
        'port',
        'username',
        { field: 'password', width: 100 },
        { field: 'enableStarttls', width: 130 },
      ]}
      toolbar={
        <FormButton endpoint={addMailConfig} fields={fields} width={680}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
