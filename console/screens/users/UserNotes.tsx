import { useMemo } from 'react';
import {
  addUserNote,
  deleteUserNote,
  pageUserNotes,
  pinUserNote,
  type UserNote,
  updateUserNote,
} from '#contract/user-notes.ts';
import { DeleteButton, FormButton, Toggle } from '../../kit/form/index.ts';
import { ListScreen, Within } from '../../kit/list/index.ts';

const actions = (note: UserNote) => (
  <>
    {note.own && (
      <FormButton endpoint={updateUserNote} fields={['note']} initial={note}>
        编辑
      </FormButton>
    )}
    <DeleteButton
      endpoint={deleteUserNote}
      input={{ id: note.id }}
      what={`备注“${note.note.slice(0, 30)}”`}
    />
  </>
);

const Pinned = ({ id, pinned }: UserNote) => (
  <Toggle
    endpoint={pinUserNote}
    input={{ id, pinned: !pinned }}
    state={pinned ? '已置顶' : '未置顶'}
    tone={pinned ? 'warn' : 'idle'}
    label={pinned ? '取消置顶' : '置顶'}
  />
);

/** What operators noted of a player. */
export function UserNotes({ userId }: { readonly userId: number }) {
  const given = useMemo(() => ({ noun: 'user' as const, search: { userId: String(userId) } }), [userId]);
  return (
    <Within path="/main/user/user-page/notes" given={given}>
      <ListScreen
        endpoint={pageUserNotes}
        search={['note', 'author']}
        columns={[
          { field: 'note', label: '备注' },
          { field: 'pinned', width: 90, render: Pinned },
          { field: 'author', width: 120 },
          'createTime',
          'editTime',
        ]}
        toolbar={
          <FormButton endpoint={addUserNote} fields={['note', 'pinned']} initial={{ userId }}>
            新增
          </FormButton>
        }
        rowActions={actions}
      />
    </Within>
  );
}
