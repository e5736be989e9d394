import { type OutboxMail, pageOutboxMails, retryOutboxMail } from '#contract/mail-outbox.ts';
import { CommandButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const tones = { PENDING: 'warn', SENDING: 'busy', SENT: 'good', FAILED: 'bad' } as const;

const actions = ({ id, status, to }: OutboxMail) =>
  status === 'FAILED' && (
    <CommandButton endpoint={retryOutboxMail} input={{ id }} confirm={`确定重新发送给“${to}”吗？`} bulk>
      重新发送
    </CommandButton>
  );

/** The mails ordered by the players' site, and what became of them. */
export function MailOutboxScreen() {
  return (
    <ListScreen
      endpoint={pageOutboxMails}
      search={['to', 'template', 'status', 'createTimeRange']}
      columns={[
        'id',
        { field: 'template', width: 120 },
        'to',
        { field: 'status', tones, width: 100 },
        { field: 'attempts', width: 84 },
        { field: 'lastError', width: 220 },
        'createTime',
        'nextTime',
        'sentTime',
      ]}
      rowActions={actions}
    />
  );
}
