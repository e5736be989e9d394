import { type QueryClient, useQueryClient } from '@tanstack/react-query';
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
import { CallFailed } from '../call/call-failed.ts';
import { newIdempotencyKey } from '../call/idempotency-key.ts';
import { readCache, writeCache } from '../call/local-cache.ts';
import { toast } from '../call/notices.ts';
import { queryKey } from '../call/query-client.ts';
import { PREFERENCES, readSession } from '../call/session.ts';
import { storeOf, useStore } from '../call/store.ts';
import { useEndpoint } from '../call/use-endpoint.ts';
import { plainLayout } from './list-layout.ts';

interface Known {
  readonly jti: string;
  readonly preferences: ListPreferences;
}

/** As last answered in this session, so that a list stands at once as its operator has it. */
function readKnown(): ListPreferences | undefined {
  const known = readCache<Known>(PREFERENCES);
  return known && known.jti === readSession()?.jti ? known.preferences : undefined;
}

/** Makes one layout of another; undefined for the declared one. */
type Change = (before: ListLayout) => ListLayout | undefined;

interface Preferences {
  /** Nothing on a screen that keeps none. */
  readonly screen: ScreenPath | undefined;
  readonly layout: ListLayout;
  readonly views: readonly ListView[];
  readonly roles: ListPreferences['roles'];
  /** Whether the server has answered, now or before in this session. */
  readonly known: boolean;
  /** Lays the list out anew at once, from how it stands by then, and keeps it on the server; undefined brings back the declared one. */
  readonly keep: (change: Change) => void;
}

/**
 * How lists were laid out here and have not been answered so yet. It stands before every answer: one that was on its way when the list was
 * laid out does not know of it, and would take it back.
 */
const ahead = storeOf<ReadonlyMap<ScreenPath, ListLayout>>(new Map());

/** One save after the other, so that what was said last is what is kept. */
let saving: Promise<void> = Promise.resolve();

/** A list that could not be kept stands again as the server has it, which is told once. */
function tellFailure(error: unknown): void {
  if (error instanceof CallFailed && !error.told) toast('error', error.message);
}

/** Changes the list as the server has it by now: it may have been laid out in another window since this one asked. */
async function save(client: QueryClient, screen: ScreenPath, change: Change): Promise<void> {
  // Quiet, since what succeeds is seen at once.
  const options = { loading: false, quiet: true, idempotencyKey: newIdempotencyKey() };
  await call(listPreferences, {}, { loading: false })
    .then((now) => call(saveListLayout, { screen, layout: change(layoutIn(now, screen)) }, options))
    .catch(tellFailure);
  const read = { queryKey: queryKey(listPreferences, {}) };
  await client.cancelQueries(read);
  await client.invalidateQueries({ ...read, refetchType: 'all' });
}

/** Lays a list out at once and keeps it on the server. */
function keepLayout(client: QueryClient, screen: ScreenPath, before: ListLayout, change: Change): void {
  const shown = change(before) ?? plainLayout;
  ahead.write(new Map([...ahead.read(), [screen, shown]]));
  saving = saving
    .then(() => save(client, screen, change))
    .finally(() => {
      // Somebody has gone on laying it out meanwhile: that is saved next.
      const all = ahead.read();
      if (all.get(screen) === shown) ahead.write(new Map([...all].filter(([other]) => other !== screen)));
    });
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

  const before = useStore(ahead);
  const layout = (screen && before.get(screen)) ?? layoutIn(data, screen);
  const keep = useCallback(
    (change: Change) => {
      if (!screen) return;
      // What was changed a moment ago may not have been drawn yet.
      const known = client.getQueryData<ListPreferences>(queryKey(listPreferences, {})) ?? cached;
      keepLayout(client, screen, ahead.read().get(screen) ?? layoutIn(known, screen), change);
    },
    [client, screen, cached],
  );
  const views = useMemo(() => data?.views.filter((view) => view.screen === screen) ?? [], [data, screen]);
  return {
    screen,
    layout,
    views,
    roles: data?.roles ?? [],
    known: data !== undefined,
    keep,
  };
}

const layoutIn = (of: ListPreferences | undefined, screen: ScreenPath | undefined): ListLayout =>
  of?.layouts.find((one) => one.screen === screen)?.layout ?? plainLayout;
