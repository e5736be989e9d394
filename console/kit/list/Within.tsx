import { type ReactNode, use, useMemo } from 'react';
import {
  UNSAFE_NavigationContext as NavigationContext,
  type Navigator,
  parsePath,
  Route,
  Routes,
  type To,
  useSearchParams,
} from 'react-router';
import { type Given, GivenContext } from './given.ts';

/** The field of the page's own address that holds the address of the list on it, without what is given. */
const FIELD = 'list';

interface WithinProps {
  /** The route that the list believes to stand on. */
  readonly path: string;
  readonly given: Given;
  readonly children: ReactNode;
}

const merged = (own: string, given: Given): string =>
  new URLSearchParams([
    ...[...new URLSearchParams(own)].filter(([name]) => !(name in given.search)),
    ...Object.entries(given.search),
  ]).toString();

/** What was searched for beside what is given. */
const ownOf = (search: string, given: Given): string =>
  new URLSearchParams(
    [...new URLSearchParams(search)].filter(([name]) => !(name in given.search)),
  ).toString();

const placeOf = (to: To) => (typeof to === 'string' ? parsePath(to) : to);

/**
 * Any list screen inside the page of a row, limited to what belongs to that row. It finds an address of its own, with its search, order and
 * page, which is kept as a part of the page's: so a reload, a link and the way back lead to it.
 */
export function Within({ path, given, children }: WithinProps) {
  const outer = use(NavigationContext);
  const [params, setParams] = useSearchParams();
  const search = merged(params.get(FIELD) ?? '', given);
  const inner = useMemo(() => {
    const { navigator } = outer;
    const go = (how: 'push' | 'replace'): Navigator['push'] => {
      return (to, state, options) => {
        const place = placeOf(to);
        if (place.pathname !== path) return navigator[how](to, state, options);
        setParams(
          (before) => {
            const next = new URLSearchParams(before);
            const own = ownOf(place.search ?? '', given);
            if (own) next.set(FIELD, own);
            else next.delete(FIELD);
            return next;
          },
          { replace: how === 'replace' },
        );
      };
    };
    return { ...outer, navigator: { ...navigator, push: go('push'), replace: go('replace') } };
  }, [outer, path, given, setParams]);
  return (
    <GivenContext value={given}>
      <NavigationContext value={inner}>
        <Routes location={`${path}?${search}`}>
          <Route path="*" element={children} />
        </Routes>
      </NavigationContext>
    </GivenContext>
  );
}
