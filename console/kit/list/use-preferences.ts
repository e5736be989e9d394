import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';
import {
  type ListLayout,
  type ListPreferences,
  type ListView,
  listPreferences,
  saveListLayout,
} from '#contract/list-preferences.ts';
import { type ScreenPath, screens } from '#contract/screens.ts';
import { call } from '../call/call.ts';
import { newIdempotencyKey } from '../call/idempotency-key.ts';
import { readCache, writeCache } from '../call/local-cache.ts';
import { readSession } from '../call/session.ts';
import { queryKey, useEndpoint } from '../call/use-endpoint.ts';
import { plainLayout } from './list-layout.ts';

const PREFERENCES = 'preferences';

interface Known {
  readonly jti: string;
  readonly preferences: ListPreferences;
}

/** As last answered in this session, so that a list stands at once as its operator has it. */
function readKnown(): ListPreferences | undefined {
  const known = readCache<Known>(PREFERENCES);
  return known && known.jti === readSession()?.jti ? known.preferences : undefined;
}

interface Preferences {
  /** Nothing on a screen that keeps none. */
  readonly screen: ScreenPath | undefined;
  readonly layout: ListLayout;
  readonly views: readonly ListView[];
  readonly roles: ListPreferences['roles'];
  /** Whether the server has answered, now or before in this session. */
  readonly known: boolean;
  /** Lays the list out anew at once, from how it stands by then, and keeps it on the server; undefined brings back the declared one. */
  readonly keep: (change: (before: ListLayout) => ListLayout | undefined) => void;
}

/** How the signed-in operator has the list of the screen it stands on. */
export function usePreferences(): Preferences {
  const { pathname } = useLocation();
  const screen = screens.find(({ path }) => path === pathname)?.path;
  const client = useQueryClient();
  const cached = useMemo(readKnown, []);
  const { data, isPlaceholderData } = useEndpoint(
    listPreferences,
    {},
    { loading: false, known: cached, lasting: true },
  );
  useEffect(() => {
    const session = readSession();
    if (session && data && !isPlaceholderData)
      writeCache(PREFERENCES, { jti: session.jti, preferences: data });
  }, [data, isPlaceholderData]);

  const keep = useCallback(
    (change: (before: ListLayout) => ListLayout | undefined) => {
      if (!screen) return;
      const key = queryKey(listPreferences, {});
      // What was changed a moment ago may not have been drawn yet.
      const now = client.getQueryData<ListPreferences>(key);
      const layout = change(now?.layouts.find((one) => one.screen === screen)?.layout ?? plainLayout);
      client.setQueryData<ListPreferences>(key, (before) => withLayout(before, screen, layout));
      const options = { loading: false, idempotencyKey: newIdempotencyKey() };
      // A refusal has been told by toast.
      void call(saveListLayout, { screen, layout }, options).catch(() => undefined);
    },
    [client, screen],
  );
  const layout = data?.layouts.find((one) => one.screen === screen)?.layout;
  const views = useMemo(() => data?.views.filter((view) => view.screen === screen) ?? [], [data, screen]);
  return {
    screen,
    layout: layout ?? plainLayout,
    views,
    roles: data?.roles ?? [],
    known: data !== undefined,
    keep,
  };
}

const nobody: ListPreferences = { layouts: [], views: [], roles: [] };

function withLayout(
  before: ListPreferences = nobody,
  screen: ScreenPath,
  layout: ListLayout | undefined,
): ListPreferences {
  const others = before.layouts.filter((one) => one.screen !== screen);
  const own = layout === undefined ? [] : [{ screen, layout }];
  return { ...before, layouts: [...others, ...own] };
}
