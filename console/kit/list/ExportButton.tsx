import type { AnyEndpoint } from '#contract/endpoint.ts';
import { isExportable } from '#contract/export-formats.ts';
import { MenuButton } from '../form/MenuButton.tsx';
import { Button } from '../overlay/Button.tsx';
import { fetched } from '../overlay/fetched.tsx';
import { openDialog } from '../overlay/overlays.ts';
import type { ExportDialogProps } from './ExportDialog.tsx';
import './export.css';

const LazyDialog = fetched(() => import('./ExportDialog.tsx').then(({ ExportDialog }) => ExportDialog));

const open = (props: ExportDialogProps) => openDialog(<LazyDialog {...props} />);

/** Takes the whole list out as a file, with the search it is shown by. Every list has one. */
export function ExportButton({
  endpoint,
  input,
}: {
  readonly endpoint: AnyEndpoint;
  readonly input: object;
}) {
  if (!isExportable(endpoint)) return null;
  return (
    <span className="list-export">
      <MenuButton label="导出">
        <Button onClick={() => open({ endpoint, input, format: 'xlsx' })}>Excel 工作簿</Button>
        <Button onClick={() => open({ endpoint, input, format: 'csv' })}>CSV 文件</Button>
      </MenuButton>
    </span>
  );
}
