import type { MouseEvent } from 'react';
import { TRIAL_MINUTES, tryRole } from '#contract/role-trials.ts';
import type { Role } from '#contract/roles.ts';
import { call, reloadAnew, useMay } from '../../kit/call/index.ts';
import { nameOfRow } from '../../kit/form/index.ts';
import { askAt, Button, closePopup } from '../../kit/overlay/index.ts';

/** The page gives way at once: nothing that stands on it is read again with the fewer rights of the role. */
async function begin(id: number): Promise<void> {
  closePopup();
  const tried = await call(tryRole, { id }).catch(() => undefined);
  if (tried) reloadAnew();
}

/** Lays the operator's own rights aside, but for what the role has too, until it is ended. */
export function TryButton({ role }: { readonly role: Role }) {
  const allowed = useMay(tryRole);
  if (!allowed) return null;
  const text = `确定试用角色“${nameOfRow('role', role)}”吗？试用时只能查看，可随时退出，${TRIAL_MINUTES} 分钟后自动结束。`;
  const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) =>
    askAt(currentTarget, { text, word: '试用', onYes: () => void begin(role.id) });
  return <Button onClick={onClick}>试用</Button>;
}
