import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { getConsoleSettings } from '#contract/console-settings.ts';
import { useEndpoint } from '../call/use-endpoint.ts';
import { usePreferences } from './use-preferences.ts';
import { asksForReportDay, datedAddress } from './view-dates.ts';

/** A list that is opened without a search opens with the view its operator chose as its start, which the address then says. */
export function useStartView(): void {
  const [params, setParams] = useSearchParams();
  const { views, known } = usePreferences();
  // The shell asks for it.
  const { data: settings } = useEndpoint(getConsoleSettings, {}, { enabled: false });
  const decided = useRef(false);
  useEffect(() => {
    // Nor is what somebody searched for meanwhile taken from them.
    decided.current ||= params.size > 0;
    if (decided.current || !known) return;
    const start = views.find((view) => view.start);
    if (start && !settings && asksForReportDay(start.address)) return;
    decided.current = true;
    if (start) setParams(datedAddress(start.address), { replace: true });
  }, [params, views, known, settings, setParams]);
}
