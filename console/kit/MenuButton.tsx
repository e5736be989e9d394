import { type MouseEvent, type ReactNode, use } from 'react';
import { Button, PlaceContext } from './Button.tsx';
import { BulkContext } from './bulk.ts';
import { openPopup } from './overlays.ts';
import { RowContext } from './row-about.tsx';

interface MenuButtonProps {
  readonly label: string;
  /** The buttons it offers: CommandButtons, FormButtons. */
  readonly children: ReactNode;
}

/** A dropdown of further buttons, for rows with more actions than fit. */
export function MenuButton({ label, children }: MenuButtonProps) {
  const row = use(RowContext);
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const items = (
      <RowContext value={row}>
        <PlaceContext value="popup">
          <div className="popup-items">{children}</div>
        </PlaceContext>
      </RowContext>
    );
    openPopup(event.currentTarget, label, items);
  };
  if (use(BulkContext)) return children;
  return (
    <Button aria-haspopup="dialog" onClick={onClick}>
      {label} <span aria-hidden>▾</span>
    </Button>
  );
}
