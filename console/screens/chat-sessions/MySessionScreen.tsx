import { listMyChatSessions } from '#contract/chat-sessions.ts';
import { useEndpoint, useMayOpen } from '../../kit/call/index.ts';
import { NotLoaded, ScreenLink } from '../../kit/overlay/index.ts';
import { SessionCard } from './SessionCard.tsx';
import './my-session.css';

/** The operator's own chat sessions, each a card that flips to its login. */
export function MySessionScreen() {
  const { data, error, refetch } = useEndpoint(listMyChatSessions, {});
  if (!data)
    return error && <NotLoaded title="会话加载失败" text={error.message} onRetry={() => void refetch()} />;
  if (data.length === 0) return <NoSessions />;
  return (
    <ul className="sessions" aria-label="我的会话">
      {data.map((session) => (
        <SessionCard key={session.id} session={session} onRefresh={() => void refetch()} />
      ))}
    </ul>
  );
}

const USERS = '/main/user/user';

/** Chats are begun from the list of players, which not everybody may open. */
const NoSessions = () => (
  <div className="sessions-blank">
    <strong>还没有会话</strong>
    {useMayOpen(USERS) ? (
      <span>
        在<ScreenLink to={USERS}>用户管理</ScreenLink>
        中点击用户所在行的“新增会话”，新会话会出现在这里。
      </span>
    ) : (
      <span>会话由“用户管理”中的“新增会话”添加；您没有“用户管理”的权限，请联系管理员。</span>
    )}
  </div>
);
