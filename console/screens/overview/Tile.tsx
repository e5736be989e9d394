import { use } from 'react';
import { Link } from 'react-router';
import { isOpenRoute } from '#contract/screens.ts';
import { PathsContext } from '../../kit/call/index.ts';

interface TileProps {
  readonly title: string;
  readonly n: number;
  readonly note: string;
  /** The list behind it. */
  readonly to: string;
  readonly level: 'bad' | 'busy' | 'calm';
}

/** A figure that waits for somebody: the way to its list, where that may be opened. */
export function Tile({ title, n, note, to, level }: TileProps) {
  const granted = use(PathsContext);
  const [path = ''] = to.split('?');
  const said = (
    <>
      <span className="overview-title">{title}</span>
      <strong>{n}</strong>
      <span className="overview-note">{note}</span>
    </>
  );
  const look = { className: 'overview-tile', 'data-level': level };
  if (!granted.has(path) && !isOpenRoute(path)) return <div {...look}>{said}</div>;
  return (
    <Link to={to} {...look}>
      {said}
    </Link>
  );
}
