import { type ReactNode, use } from 'react';
import { Link } from 'react-router';
import type { ScreenPath } from '#contract/screens.ts';
import { useMayOpen } from '../call/use-menus.ts';
import { PlaceContext } from './Button.tsx';
import { closePopup } from './overlays.ts';
import './screen-link.css';

interface ScreenLinkProps {
  readonly to: ScreenPath;
  /** The search the screen opens with, such as `{ userId: 7 }`; several values of one field are sent one after the other. */
  readonly search?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly children: ReactNode;
  /** What stands there for whoever may not open the screen: a value keeps its words, the name of a list does not. */
  readonly instead?: ReactNode;
}

/** The address of a screen that opens with a search. */
export function screenAddress(to: ScreenPath, search: ScreenLinkProps['search'] = {}): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    (typeof value === 'object' ? value : [String(value)]).map((one) => [name, one]),
  );
  const params = new URLSearchParams(pairs);
  return params.size === 0 ? to : `${to}?${params}`;
}

/** Leads to another screen's list, already filtered; nothing is there for whoever may not open it, unless told otherwise. */
export function ScreenLink({ to, search, children, instead = null }: ScreenLinkProps) {
  const place = use(PlaceContext);
  const opens = useMayOpen(to);
  if (!opens) return instead;
  const look = place === 'plain' ? 'screen-link' : `button button-${place} screen-action`;
  return (
    <Link className={look} to={screenAddress(to, search)} onClick={closePopup}>
      {children}
    </Link>
  );
}
