import { addChatSession } from '#contract/chat-sessions.ts';
import type { User } from '#contract/users.ts';
import { CommandButton } from '../../kit/form/index.ts';

/** A chat with a player, to be signed in on 我的会话. */
export const AddChat = ({ user: { id, nickName } }: { readonly user: User }) => (
  <CommandButton
    endpoint={addChatSession}
    input={{ userId: id }}
    confirm={`确定为用户“${nickName}”新增会话吗？`}
  >
    新增会话
  </CommandButton>
);
