import { useEffect, useState } from 'react';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import type { ExportFormat } from '#contract/export-formats.ts';
import { downloadList, type Progress, saveFile } from '../call/download-list.ts';
import { countText } from '../form/money.ts';
import { Button } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { useCloseDialog } from '../overlay/Overlays.tsx';
import './export.css';

export interface ExportDialogProps {
  readonly endpoint: AnyEndpoint;
  readonly input: object;
  readonly format: ExportFormat;
}

type Stage = { at: 'running' } | { at: 'done'; name: string } | { at: 'failed'; message: string };

/** Fetches the list as a file while it is open; closing it gives up. */
export function ExportDialog({ endpoint, input, format }: ExportDialogProps) {
  const close = useCloseDialog();
  const [stage, setStage] = useState<Stage>({ at: 'running' });
  const [progress, setProgress] = useState<Progress>();

  useEffect(() => {
    const giveUp = new AbortController();
    downloadList(endpoint, input as WireInput<AnyEndpoint>, {
      format,
      signal: giveUp.signal,
      onProgress: setProgress,
    }).then(
      (file) => {
        saveFile(file);
        setStage({ at: 'done', name: file.name });
      },
      (error: unknown) => {
        if (giveUp.signal.aborted) return;
        setStage({ at: 'failed', message: error instanceof Error ? error.message : '导出失败' });
      },
    );
    return () => giveUp.abort();
  }, [endpoint, input, format]);

  const { rows = 0, total = 0 } = progress ?? {};
  return (
    <Dialog title="导出" width={420}>
      <div className="export" aria-live="polite">
        <progress aria-label="导出进度" max={Math.max(total, 1)} value={progress && (total ? rows : 1)} />
        <p>
          {stage.at === 'running' &&
            (progress ? `正在导出：${countText(rows)} / ${countText(total)} 行` : '正在准备…')}
          {stage.at === 'done' && `导出完成，共 ${countText(total)} 行：${stage.name}`}
          {stage.at === 'failed' && <span className="form-error">{stage.message}</span>}
        </p>
      </div>
      <div className="form-buttons">
        <Button tone={stage.at === 'running' ? 'normal' : 'primary'} onClick={close}>
          {stage.at === 'running' ? '取消' : '关闭'}
        </Button>
      </div>
    </Dialog>
  );
}
