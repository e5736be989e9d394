import { type ReactNode, useState } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type ImportReport, importColumns, MOST_IMPORT_ROWS } from '#contract/imports.ts';
import { saveFile } from '../call/download-list.ts';
import { fetchTemplate } from '../call/send-table.ts';
import { Button } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { useCloseDialog } from '../overlay/Overlays.tsx';
import { useHeld } from './drafts.ts';
import { Leaving } from './Leaving.tsx';
import { type ImportStage, useImport } from './use-import.ts';
import './import.css';

export interface ImportDialogProps {
  readonly endpoint: AnyEndpoint;
  readonly title: string;
  /** Fields that are the same in all rows. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What limits which rows may be named, such as the game of a play way. */
  readonly within: Readonly<Record<string, unknown>>;
  /** What a checked table without faults would do, of a call that tells it. */
  readonly outlook?: ((changes: Changes) => ReactNode) | undefined;
}

/** What becomes of each row that a table adds or changes. */
export type Changes = NonNullable<ImportReport['changes']>;

/** A workbook with the head, and a second sheet that explains each column. Whatever went wrong has been told. */
async function saveTemplate(props: ImportDialogProps): Promise<void> {
  const blob = await fetchTemplate(props).catch(() => undefined);
  if (blob) saveFile({ name: `${props.endpoint.summary}模板.xlsx`, blob });
}

/** Chooses a table, tells every fault in it by row and column, and imports it once there is none. */
export function ImportDialog(props: ImportDialogProps) {
  const close = useCloseDialog();
  const { stage, check, keep, retry } = useImport(props, close);
  const [leaving, setLeaving] = useState(false);
  const columns = importColumns(props.endpoint, Object.keys(props.given));
  const isReady = stage.at === 'checked' && stage.report.faults.length === 0;
  const again = stage.at === 'failed' ? stage.again : undefined;
  const waits = isReady || again !== undefined;
  // A page cannot keep a file for after a reload.
  useHeld(waits || stage.at === 'checking' || stage.at === 'keeping');
  // A table that was checked is work that waits to be sent; one with faults has to be chosen again anyway.
  const leave = () => {
    // What becomes of it is told here.
    if (stage.at === 'keeping') return;
    if (waits) setLeaving(true);
    else close();
  };
  return (
    <Dialog title={props.title} width={720} onLeave={leave}>
      <div className="import">
        <p>
          {`列：${columns.map(({ label, required }) => (required ? `${label}*` : label)).join('、')}（* 为必填），最多 ${MOST_IMPORT_ROWS} 行。`}
        </p>
        <div className="import-buttons">
          <Choice onChosen={check} />
          <Button onClick={() => void saveTemplate(props)}>下载模板</Button>
        </div>
        {stage.at !== 'choosing' && <bdi className="import-name">{stage.file.name}</bdi>}
        <Told stage={stage} outlook={props.outlook} />
      </div>
      {leaving ? (
        <Leaving onStay={() => setLeaving(false)} onLeave={close} />
      ) : (
        <div className="form-buttons">
          <Button onClick={leave}>取消</Button>
          {again ? (
            <Button tone="primary" onClick={() => retry(again)}>
              重试
            </Button>
          ) : (
            <Button tone="primary" aria-disabled={!isReady} onClick={() => isReady && keep(stage.file)}>
              {isReady ? `导入 ${stage.report.rows} 行` : '导入'}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** A button, and a place to drop a file on. The browser's own would say, in the browser's language, that there is none once it has been taken. */
const Choice = ({ onChosen }: { readonly onChosen: (file: File) => void }) => (
  <label className="button button-plain import-choice">
    选择文件（.xlsx 或 .csv）
    <input
      type="file"
      accept=".xlsx,.csv"
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        // The browser tells nothing when the same name is chosen again, though the file may have been mended.
        target.value = '';
        if (file) onChosen(file);
      }}
    />
  </label>
);

interface ToldProps extends Pick<ImportDialogProps, 'outlook'> {
  readonly stage: ImportStage;
}

/** What is known of the table that was chosen. */
function Told({ stage, outlook }: ToldProps) {
  const report = stage.at === 'checked' ? stage.report : undefined;
  const faults = report?.faults ?? [];
  return (
    <>
      <div aria-live="polite">
        {stage.at === 'checking' && <p>正在检查…</p>}
        {stage.at === 'keeping' && <p>正在导入…</p>}
        {stage.at === 'failed' && (
          <p className="form-error">
            {stage.message}
            {stage.again?.key !== undefined && '。表格可能已经导入；重试不会重复导入。'}
          </p>
        )}
        {report && <Sum {...report} />}
      </div>
      {/* Told in one sentence above: what may be hundreds of lines is read line by line by whoever goes there. */}
      {faults.length > 0 && <Faults faults={faults} />}
      {faults.length === 0 && report?.changes && outlook?.(report.changes)}
    </>
  );
}

const Sum = ({ rows, faults }: ImportReport) =>
  faults.length === 0 ? (
    <p>{`共 ${rows} 行，没有错误。`}</p>
  ) : (
    <p className="form-error">{`共 ${rows} 行，有 ${faults.length} 处错误；修改文件后重新选择。没有导入任何一行。`}</p>
  );

const Faults = ({ faults }: Pick<ImportReport, 'faults'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
  <section className="import-faults" aria-label="表格中的错误" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">行</th>
          <th scope="col">列</th>
          <th scope="col">问题</th>
        </tr>
      </thead>
      <tbody>
        {faults.map(({ row, column, message }) => (
          <tr key={`${row} ${column} ${message}`}>
            <td>{row}</td>
            <td>{column ?? '—'}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
