import { Activity, memo, type RefObject, Suspense, use, useEffect, useRef } from 'react';
import { Route, Routes } from 'react-router';
import { Failsafe, Fetching, ScreenContext, TabContext } from '../../kit/overlay/index.ts';
import { useKeptScroll } from './keep-scroll.ts';
import { addressOf, type Tab } from './tab-list.ts';

interface TabPanelProps {
  readonly tab: Tab;
  readonly shown: boolean;
  readonly label: string;
}

/**
 * The keyboard goes along to the tab that is shown: to where it was in there, else to its beginning, which tells a screen reader where it is. Whoever
 * goes through the tabs themselves stays among them.
 */
function useKeptKeyboard(panel: RefObject<HTMLElement | null>, shown: boolean) {
  const last = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!shown || document.activeElement?.closest('.tabs')) return;
    const stop = last.current;
    panel.current?.focus({ preventScroll: true });
    stop?.focus({ preventScroll: true });
  }, [panel, shown]);
  return ({ target }: { readonly target: HTMLElement }) => {
    last.current = target;
  };
}

/** The screen of a tab. One that is not shown stays as it is, with its own address, and does nothing meanwhile. */
export const TabPanel = memo(function TabPanel({ tab, shown, label }: TabPanelProps) {
  const Screen = use(ScreenContext).get(tab.path);
  const panel = useRef<HTMLDivElement>(null);
  useKeptScroll(panel, tab, shown);
  const onFocus = useKeptKeyboard(panel, shown);
  return (
    <div
      ref={panel}
      className="tab-panel"
      role="tabpanel"
      id={`panel-${tab.id}`}
      aria-label={label}
      tabIndex={-1}
      onFocus={onFocus}
      hidden={!shown}
    >
      <Activity mode={shown ? 'visible' : 'hidden'}>
        <TabContext value={tab.id}>
          <div className="shell-content">
            <Failsafe>
              <Suspense fallback={<Fetching />}>
                {Screen && (
                  <Routes location={addressOf(tab)}>
                    <Route path="*" element={<Screen />} />
                  </Routes>
                )}
              </Suspense>
            </Failsafe>
          </div>
        </TabContext>
      </Activity>
    </div>
  );
});
