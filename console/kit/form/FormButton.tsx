import { use, useEffect, useEffectEvent } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { toast } from '../call/notices.ts';
import { useBlindness, useMay } from '../call/use-menus.ts';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { fetched } from '../overlay/fetched.tsx';
import { hasDialog, openDialog, overlays } from '../overlay/overlays.ts';
import { RowContext } from '../overlay/row-context.ts';
import { TabContext } from '../overlay/tab.ts';
import { type FormOutlook, useBulk } from './bulk.ts';
import type { FormPlace } from './draft-store.ts';
import { claimReopening } from './drafts.ts';
import type { FormDialogProps } from './FormDialog.tsx';
import type { FieldName, FieldSpec } from './field-spec.ts';
import { useIntended } from './intended.ts';

const loadDialog = () => import('./FormDialog.tsx');
/** Forms are loaded when the first one opens; hovering its button is early enough not to be noticed. */
const LazyDialog = fetched(() => loadDialog().then(({ FormDialog }) => FormDialog));

type Initial<E extends AnyEndpoint> = { readonly [K in keyof WireInput<E>]?: unknown };

/**
 * What the form starts with: a whole row will do. All of it that the call takes is sent, also what no field shows,
 * such as the row's id. An edit of a row begins with the version that the operator sees.
 */
type Beginning<E extends AnyEndpoint> = 'version' extends keyof WireInput<E>
  ? { readonly initial: Initial<E> & { readonly version: number } }
  : { readonly initial?: Initial<E> };

interface ButtonProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  /** What the operator fills in, in this order. */
  readonly fields: readonly FieldSpec<FieldName<E>>[];
  readonly title?: string;
  readonly width?: number;
  /** What the button says that sends the form; 提交 unless told otherwise. */
  readonly submit?: string;
  /** Lets it be done to all selected rows alike: what an operator fills in is asked for once. */
  readonly bulk?: boolean;
  /** What it would do to its row, or to all selected ones, drawn below the fields. */
  readonly outlook?: FormOutlook;
  readonly onDone?: (data: Output<E>) => void;
  readonly children: string;
}

type FormButtonProps<E extends AnyEndpoint> = ButtonProps<E> & Beginning<E>;

/**
 * A button that opens a form in a dialog. Not there at all for operators without its button code; whoever holds that and is turned away all the
 * same is told why.
 */
export function FormButton<E extends AnyEndpoint>(props: FormButtonProps<E>) {
  const { endpoint, fields, initial = {}, title = '编辑', width, submit, outlook, onDone, children } = props;
  const allowed = useMay(endpoint);
  const blindness = useBlindness(endpoint);
  const { row, about: tell } = use(RowContext);
  const tab = use(TabContext);
  const at = use(PlaceContext);
  const place = (): FormPlace => ({
    tab,
    form: `${endpoint.path} ${children}`,
    row: String(Reflect.get(row, 'id') ?? Reflect.get(initial, 'id') ?? ''),
    menu: at === 'popup' ? (overlays.read().popup?.label ?? null) : null,
  });
  const open = () => {
    if (blindness !== undefined) return toast('error', blindness);
    const about = tell();
    const said = { endpoint, fields, initial, title, width, submit, outlook, onDone };
    const dialog = { ...said, row, about, place: place() };
    openDialog(<LazyDialog {...(dialog as FormDialogProps<AnyEndpoint>)} />, tab);
  };
  const gathered = useBulk(
    { endpoint, word: children, input: initial, fields, outlook, danger: false },
    props.bulk === true,
  );
  const reopen = useEffectEvent(() => {
    if (allowed && !hasDialog(tab) && claimReopening(place())) open();
  });
  // Once, when the button is there again after the page was loaded anew.
  useEffect(() => reopen(), []);
  useIntended(endpoint.path, allowed && at === 'toolbar', open);
  if (gathered || !allowed) return null;
  return (
    <Button
      tone={endpoint.effect === 'add' && at === 'toolbar' ? 'primary' : 'normal'}
      aria-disabled={blindness !== undefined || undefined}
      data-barred={blindness !== undefined || undefined}
      title={blindness}
      onPointerEnter={() => void loadDialog().catch(() => undefined)}
      onClick={open}
    >
      {children}
    </Button>
  );
}
