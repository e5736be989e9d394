import { type ReactNode, use, useEffect, useEffectEvent, useRef } from 'react';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { openPopup } from '../overlay/overlays.ts';
import { RowContext } from '../overlay/row-context.ts';
import { TabContext } from '../overlay/tab.ts';
import { BulkContext } from './bulk.ts';
import { reopensIn } from './drafts.ts';

interface MenuButtonProps {
  readonly label: string;
  /** The buttons it offers: CommandButtons, FormButtons. */
  readonly children: ReactNode;
}

/** A dropdown of further buttons, for rows with more actions than fit. */
export function MenuButton({ label, children }: MenuButtonProps) {
  const row = use(RowContext);
  const tab = use(TabContext);
  const gathering = use(BulkContext);
  const button = useRef<HTMLButtonElement>(null);
  const open = () => {
    const items = (
      <RowContext value={row}>
        <PlaceContext value="popup">
          <div className="popup-items">{children}</div>
        </PlaceContext>
      </RowContext>
    );
    if (button.current) openPopup(button.current, label, items);
  };
  const reopen = useEffectEvent(() => {
    if (reopensIn({ tab, menu: label, row: String(Reflect.get(row.row, 'id') ?? '') })) open();
  });
  // Once: the form that was open in here opens by itself as its button appears.
  useEffect(() => reopen(), []);
  if (gathering) return children;
  return (
    <Button ref={button} aria-haspopup="dialog" onClick={open}>
      {label} <span aria-hidden>▾</span>
    </Button>
  );
}
