import type { UserNote } from '#contract/user-notes.ts';

/** What operators want everybody to see who opens a player's page. */
export const PinnedNotes = ({ notes }: { readonly notes: readonly UserNote[] }) =>
  notes.length === 0 ? null : (
    <ul className="row-told" aria-label="置顶备注">
      {notes.map(({ id, note, author, createTime }) => (
        <li key={id}>{`置顶：${note}（${author}，${createTime}）`}</li>
      ))}
    </ul>
  );
