import { Activity, memo, Suspense, use, useRef } from 'react';
import { Route, Routes } from 'react-router';
import { Failsafe, ScreenContext, TabContext } from '../../kit/overlay/index.ts';
import { useKeptScroll } from './keep-scroll.ts';
import { addressOf, type Tab } from './tab-list.ts';

interface TabPanelProps {
  readonly tab: Tab;
  readonly shown: boolean;
  readonly label: string;
}

/** The screen of a tab. One that is not shown stays as it is, with its own address, and does nothing meanwhile. */
export const TabPanel = memo(function TabPanel({ tab, shown, label }: TabPanelProps) {
  const Screen = use(ScreenContext).get(tab.path);
  const panel = useRef<HTMLDivElement>(null);
  useKeptScroll(panel, tab, shown);
  return (
    <div
      ref={panel}
      className="tab-panel"
      role="tabpanel"
      id={`panel-${tab.id}`}
      aria-label={label}
      hidden={!shown}
    >
      <Activity mode={shown ? 'visible' : 'hidden'}>
        <TabContext value={tab.id}>
          <div className="shell-content">
            <Failsafe>
              <Suspense fallback={null}>
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
