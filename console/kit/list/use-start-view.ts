import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { usePreferences } from './use-preferences.ts';
import { datedAddress } from './view-dates.ts';

/** A list that is opened without a search opens with the view its operator chose as its start, which the address then says. */
export function useStartView(): void {
  const [params, setParams] = useSearchParams();
  const { views, known } = usePreferences();
  const decided = useRef(params.size > 0);
  useEffect(() => {
    if (decided.current || !known) return;
    decided.current = true;
    const start = views.find((view) => view.start);
    if (start) setParams(datedAddress(start.address), { replace: true });
  }, [views, known, setParams]);
}
