import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, flag, id, longText, paged, pageOf, text } from './fields.ts';
import { createTime, seenVersion, userId, version } from './named-fields.ts';

export const heading = '用户备注';

const screen = '/main/user/user-page';
const ownId = id('备注编号');
const note = longText('备注', { max: 2_000 });
const pinned = flag('置顶', ['已置顶', '未置顶']);

/** What an operator noted of a player. `own` says whether the caller wrote it and may rewrite it; `editTime` when that was last done. */
export const UserNote = z.object({
  id: ownId,
  version,
  userId,
  note,
  pinned,
  author: text('操作员'),
  own: flag('本人所写'),
  createTime,
  editTime: dateTime('编辑时间').nullable(),
});
export type UserNote = z.infer<typeof UserNote>;

/** Pinned ones first, then the newest. */
export const pageUserNotes = query('POST /user/note/page', {
  summary: '分页查询用户备注',
  body: 'form',
  input: paged({ userId, note, author: text('操作员') }),
  output: pageOf(UserNote),
  access: granted(screen),
});

export const addUserNote = command('POST /user/note/add', {
  effect: 'add',
  summary: '新增用户备注',
  body: 'json',
  input: z.object({ userId, note, pinned: pinned.default(false) }),
  output: id(),
  access: granted(screen, 'user:note:add'),
});

/** Only whoever wrote a note rewrites it. */
export const updateUserNote = command('POST /user/note/update', {
  effect: 'update',
  summary: '编辑用户备注',
  body: 'json',
  input: z.object({ id: ownId, version: seenVersion, note }),
  output: id(),
  access: granted(screen, 'user:note:add'),
  edits: UserNote,
});

export const pinUserNote = command('POST /user/note/pin', {
  summary: '置顶用户备注',
  body: 'json',
  input: z.object({ id: ownId, pinned }),
  output: z.literal(true),
  access: granted(screen, 'user:note:add'),
});

export const deleteUserNote = command('GET /user/note/deleteById/{id}', {
  rows: 'user_note',
  effect: 'delete',
  summary: '删除用户备注',
  body: 'none',
  input: z.object({ id: ownId }),
  output: z.literal(true),
  access: granted(screen, 'user:note:delete'),
});
