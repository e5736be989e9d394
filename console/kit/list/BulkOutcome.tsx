import { PlaceContext } from '../overlay/Button.tsx';
import type { About } from '../overlay/row-context.ts';
import type { BulkItem } from './BulkBar.tsx';
import type { End, Ends } from './use-bulk-run.ts';

interface BulkRowsProps {
  readonly items: readonly BulkItem[];
  readonly aboutOf: (row: object) => About;
}

/** The rows that something will be done to. */
export const BulkRows = ({ items, aboutOf }: BulkRowsProps) => (
  <ul className="bulk-rows" aria-label="所选的行">
    {items.map(({ key, row }) => (
      <li key={key}>
        <RowName about={aboutOf(row)} />
      </li>
    ))}
  </ul>
);

/** A row as its operator knows it. */
const RowName = ({ about }: { readonly about: About }) => (
  <span>
    <PlaceContext value="about">
      {about.map(({ label, value }, place) => (
        <span key={label}>
          {place > 0 && ' · '}
          {label} {value}
        </span>
      ))}
    </PlaceContext>
  </span>
);

interface BulkOutcomeProps {
  readonly tried: readonly BulkItem[];
  readonly ends: Ends;
  readonly running: boolean;
  readonly aboutOf: (row: object) => About;
}

/** What has become of each row so far, those that failed first. */
export function BulkOutcome({ tried, ends, running, aboutOf }: BulkOutcomeProps) {
  const ended = tried.flatMap(({ key, row }) => {
    const end = ends.get(key);
    return end === undefined ? [] : [{ key, row, end }];
  });
  const those = (as: End['as']) => ended.filter(({ end }) => end.as === as);
  const [done, submitted, failed] = [those('done'), those('submitted'), those('failed')];
  const waits = submitted.length > 0 ? `，等待复核 ${submitted.length} 行` : '';
  return (
    <>
      <progress
        className="bulk-progress"
        aria-label="进度"
        // Has the keyboard from the button that began it.
        tabIndex={-1}
        max={tried.length}
        value={ends.size}
      />
      <p>{`成功 ${done.length} 行${waits}，失败 ${failed.length} 行，共 ${tried.length} 行`}</p>
      {/* Read out once it is over: each row as it ends would be a hundred sentences. */}
      <p role="status" className="for-readers">
        {!running && `执行完毕${waits}，${failed.length > 0 ? `${failed.length} 行未成功` : '没有失败'}`}
      </p>
      <ul className="bulk-rows" aria-label="每行的结果">
        {[...failed, ...submitted, ...done].map(({ key, row, end }) => (
          <li key={key}>
            <RowName about={aboutOf(row)} />
            <span className={end.as === 'failed' ? 'form-error' : ''}>{end.said}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
