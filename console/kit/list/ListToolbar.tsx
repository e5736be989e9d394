import type { ReactNode } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { MenuButton } from '../form/MenuButton.tsx';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { ColumnsPanel } from './ColumnsPanel.tsx';
import type { Column } from './columns.ts';
import { ExportButton } from './ExportButton.tsx';
import { usePreferences } from './use-preferences.ts';
import { ViewsPanel } from './ViewsPanel.tsx';

interface ListToolbarProps {
  readonly endpoint: AnyEndpoint;
  readonly columns: readonly Column<never>[];
  /** The search and the order that an export follows. */
  readonly asked: object;
  /** Leaves to the operator's layout which columns there are, whatever the address says. */
  readonly onLayout: () => void;
  readonly children: ReactNode;
}

/** The screen's own buttons, and what every list has: several rows at once, columns, views, a file of it. */
export function ListToolbar({ endpoint, columns, asked, onLayout, children }: ListToolbarProps) {
  const { screen, layout, keep } = usePreferences();
  const { selects } = layout;
  return (
    <PlaceContext value="toolbar">
      <div className="list-toolbar">
        {children}
        <span className="list-own">
          {screen && (
            <>
              <Button
                aria-pressed={selects}
                onClick={() => keep((before) => ({ ...before, selects: !selects }))}
              >
                多选
              </Button>
              <MenuButton label="视图">
                <ViewsPanel columns={columns} />
              </MenuButton>
              <MenuButton label="列">
                <ColumnsPanel columns={columns} onLayout={onLayout} />
              </MenuButton>
            </>
          )}
          <ExportButton endpoint={endpoint} input={asked} />
        </span>
      </div>
    </PlaceContext>
  );
}
