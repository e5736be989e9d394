import type { AnyEndpoint } from '#contract/endpoint.ts';
import { useMay } from '../call/use-menus.ts';
import { Button } from '../overlay/Button.tsx';
import { fetched } from '../overlay/fetched.tsx';
import { openDialog } from '../overlay/overlays.ts';
import type { ImportDialogProps } from './ImportDialog.tsx';

const LazyDialog = fetched(() => import('./ImportDialog.tsx').then(({ ImportDialog }) => ImportDialog));

interface ImportButtonProps extends Partial<Pick<ImportDialogProps, 'given' | 'within' | 'outlook'>> {
  readonly endpoint: AnyEndpoint;
  readonly children?: string;
}

/** Takes a table from a workbook or CSV file, row by row as the form beside it would. */
export function ImportButton(props: ImportButtonProps) {
  const { endpoint, given = {}, within = {}, outlook, children = '导入' } = props;
  if (!useMay(endpoint)) return null;
  return (
    <Button
      onClick={() => openDialog(<LazyDialog {...{ endpoint, given, within, outlook }} title={children} />)}
    >
      {children}
    </Button>
  );
}
