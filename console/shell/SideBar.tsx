import { type MouseEvent, useState } from 'react';
import { Link } from 'react-router';
import type { Menu } from '#contract/menus.ts';
import { openRoutes } from '#contract/screens.ts';
import brand from '../brand.svg';
import { type SideBarFolder, sideBarOf } from '../kit/call/index.ts';
import { closePopup, MenuIcon, openPopup } from '../kit/overlay/index.ts';
import { useWaiting, type Waiting, waitingWords } from './use-waiting.ts';
import './side-bar.css';

const { overview } = openRoutes;

interface SideBarProps {
  readonly menus: readonly Menu[];
  readonly path: string;
  readonly collapsed: boolean;
  /** Where a link to a screen leads. */
  readonly addressFor: (path: string) => string;
}

/** Folders and their screens. Collapsed, a folder is its icon and opens beside the bar. */
export function SideBar({ menus, path, collapsed, addressFor }: SideBarProps) {
  const folders = sideBarOf(menus);
  const current = folders.find((folder) => folder.screens.some((screen) => screen.path === path))?.id;
  const [turned, setTurned] = useState<ReadonlyMap<number, boolean>>(new Map());
  const waiting = useWaiting();
  const isOpen = (id: number): boolean => turned.get(id) ?? id === current;

  return (
    <nav className={collapsed ? 'side side-collapsed' : 'side'} aria-label="主菜单">
      <div className="side-brand">
        <img src={brand} alt="" width="28" height="28" />
        <strong>运营后台</strong>
      </div>
      <ul className="side-folders">
        <li>
          <Link
            to={addressFor(overview.path)}
            className="side-folder side-home"
            aria-current={path === overview.path ? 'page' : undefined}
            aria-label={overview.title}
            title={collapsed ? overview.title : undefined}
          >
            <MenuIcon name="HomeOutlined" />
            <span className="side-text">{overview.title}</span>
          </Link>
        </li>
        {folders.map((folder) => (
          <Folder
            key={folder.id}
            folder={folder}
            path={path}
            collapsed={collapsed}
            addressFor={addressFor}
            waiting={folder.screens.some((screen) => screen.path === waiting?.path) ? waiting : undefined}
            isCurrent={folder.id === current}
            open={isOpen(folder.id)}
            onToggle={() => setTurned((before) => new Map(before).set(folder.id, !isOpen(folder.id)))}
          />
        ))}
      </ul>
    </nav>
  );
}

interface FolderProps extends LinksProps {
  readonly collapsed: boolean;
  readonly isCurrent: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

interface LinksProps {
  readonly folder: SideBarFolder;
  readonly path: string;
  readonly addressFor: (path: string) => string;
  /** What waits on one of these screens. */
  readonly waiting: Waiting | undefined;
}

/** How much waits; its words stand where the number is not read by itself. */
const Count = ({ waiting }: { readonly waiting: Waiting }) => (
  <span className="side-count" data-own={waiting.releasable === 0 || undefined} title={waitingWords(waiting)}>
    {waiting.pending}
  </span>
);

function Folder({ folder, path, collapsed, addressFor, waiting, isCurrent, open, onToggle }: FolderProps) {
  const unfolded = open && !collapsed;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (!collapsed) return onToggle();
    openPopup(
      event.currentTarget,
      folder.title,
      <FlyOut {...{ folder, path, addressFor, waiting }} />,
      'beside',
    );
  };
  return (
    <li>
      <button
        type="button"
        className={isCurrent ? 'side-folder side-current' : 'side-folder'}
        aria-expanded={collapsed ? undefined : open}
        aria-haspopup={collapsed ? 'dialog' : undefined}
        aria-label={waiting && !unfolded ? `${folder.title}，${waitingWords(waiting)}` : folder.title}
        title={collapsed ? folder.title : undefined}
        onClick={onClick}
      >
        <MenuIcon name={folder.iconClass} />
        <span className="side-text">{folder.title}</span>
        {waiting && !unfolded && <Count waiting={waiting} />}
        <span className="side-mark" aria-hidden="true" />
      </button>
      {unfolded && <ScreenLinks {...{ folder, path, addressFor, waiting }} />}
    </li>
  );
}

const FlyOut = (props: LinksProps) => (
  <div className="side-flyout">
    <p>{props.folder.title}</p>
    <ScreenLinks {...props} />
  </div>
);

const ScreenLinks = ({ folder, path, addressFor, waiting }: LinksProps) => (
  <ul className="side-screens">
    {folder.screens.map((screen) => (
      <li key={screen.path}>
        <Link
          to={addressFor(screen.path)}
          aria-current={screen.path === path ? 'page' : undefined}
          onClick={closePopup}
        >
          <MenuIcon name={screen.iconClass} />
          <span className="side-text">{screen.title}</span>
          {screen.path === waiting?.path && <Count waiting={waiting} />}
        </Link>
      </li>
    ))}
  </ul>
);
