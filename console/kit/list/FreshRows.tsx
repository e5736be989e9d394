import './fresh-rows.css';

interface FreshRowsProps {
  readonly count: number;
  readonly unknown: boolean;
  readonly onShow: () => void;
}

/** Says that there are rows beside those shown, and shows them at a click. It lies over the list, which does not move for it. */
export function FreshRows({ count, unknown, onShow }: FreshRowsProps) {
  const isShown = count > 0 || unknown;
  return (
    <div className="list-fresh" role="status">
      {isShown && (
        <button type="button" onClick={onShow}>
          {unknown ? '有新记录' : `${count} 条新记录`}
        </button>
      )}
    </div>
  );
}
