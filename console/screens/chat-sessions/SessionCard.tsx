import { useState } from 'react';
import {
  activateChatSession,
  authState,
  ChatSession,
  deleteChatSession,
  logoutChatSession,
} from '#contract/chat-sessions.ts';
import { metaOf, wordOf } from '#contract/fields.ts';
import { useCommand } from '../../kit/call/index.ts';
import { CommandButton, DeleteButton, Tag, type Tone } from '../../kit/form/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { Button, PlaceContext } from '../../kit/overlay/index.ts';
import { SessionLogin } from './SessionLogin.tsx';

type State = ChatSession['authState'];

const toneOf = (state: State): Tone =>
  state === 'AuthorizationStateReady'
    ? 'good'
    : state === null || state === 'AuthorizationStateClosed'
      ? 'idle'
      : 'busy';

interface SessionCardProps {
  readonly session: ChatSession;
  readonly onRefresh: () => void;
}

/** A session: in front what it is, on the back the steps of its login. */
export function SessionCard({ session, onRefresh }: SessionCardProps) {
  const [flipped, setFlipped] = useState(false);
  const activate = useCommand(activateChatSession, { tell: true });
  const { id, authState: state } = session;
  const isReady = state === 'AuthorizationStateReady';

  /** The list does not know how far the login has come since it was read. */
  const goBack = () => {
    setFlipped(false);
    onRefresh();
  };
  const goLogin = async () => {
    if (isReady) return onRefresh();
    if (await activate.run({ sessionId: id })) setFlipped(true);
  };
  return (
    <li className="session-card" data-flipped={flipped || undefined}>
      <div className="session-side session-front" inert={flipped}>
        <header>
          <h2>{session.phone ?? '尚未填写手机号'}</h2>
          <Tag tone={toneOf(state)}>{state === null ? '未登录' : wordOf(authState, state)}</Tag>
        </header>
        <Facts session={session} />
        <p className="session-detail">{session.detail}</p>
        <footer>
          <PlaceContext value="plain">
            <Button tone="primary" aria-disabled={activate.running} onClick={() => void goLogin()}>
              {isReady ? '刷新' : '去登录'}
            </Button>
          </PlaceContext>
          <PlaceContext value="row">
            {isReady && (
              <CommandButton
                endpoint={logoutChatSession}
                input={{ id }}
                confirm="确定退出该账号的登录吗？再次使用须重新登录。"
              >
                退出登录
              </CommandButton>
            )}
            <DeleteButton endpoint={deleteChatSession} input={{ id }} what={`会话“${session.phone ?? id}”`} />
          </PlaceContext>
        </footer>
      </div>
      <div className="session-side session-back" inert={!flipped}>
        {flipped && <SessionLogin session={session} onBack={goBack} />}
      </div>
    </li>
  );
}

const UserLink = ({ id }: { readonly id: number }) => (
  <RowLink noun="user" row={{ id }}>
    {String(id)}
  </RowLink>
);

function Facts({ session }: { readonly session: ChatSession }) {
  const { clientId, lastActivityTime, userId } = session;
  const { shape } = ChatSession;
  return (
    <dl>
      {[
        { schema: shape.clientId, value: clientId ?? '—' },
        { schema: shape.lastActivityTime, value: lastActivityTime ?? '—' },
        { schema: shape.userId, value: <UserLink id={userId} /> },
      ].map(({ schema, value }) => (
        <div key={metaOf(schema).title}>
          <dt>{metaOf(schema).title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
