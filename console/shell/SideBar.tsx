import { type MouseEvent, useState } from 'react';
import { Link } from 'react-router';
import type { Menu } from '#contract/menus.ts';
import { openRoutes } from '#contract/screens.ts';
import brand from '../brand.svg';
import { type SideBarFolder, sideBarOf } from '../kit/call/index.ts';
import { closePopup, MenuIcon, openPopup } from '../kit/overlay/index.ts';
import { useWaiting, type Waiting } from './use-waiting.ts';
import './side-bar.css';

const { overview } = openRoutes;

interface SideBarProps {
  readonly menus: readonly Menu[];
  readonly path: string;
  readonly collapsed: boolean;
  /** Where a link to a screen leads. */
  readonly addressFor: (path: string) => string;
}

/** The screens whose name, or whose folder's, has these words; the folders as they are without any. */
function foundIn(folders: SideBarFolder[], words: string): SideBarFolder[] {
  const part = words.trim().toLowerCase();
  if (part === '') return folders;
  return folders.flatMap((folder) => {
    const isWhole = folder.title.toLowerCase().includes(part);
    const screens = folder.screens.filter(({ title }) => isWhole || title.toLowerCase().includes(part));
    return screens.length === 0 ? [] : [{ ...folder, screens }];
  });
}

/** Folders and their screens. Collapsed, a folder is its icon and opens beside the bar. */
export function SideBar({ menus, path, collapsed, addressFor }: SideBarProps) {
  const folders = sideBarOf(menus);
  const current = folders.find((folder) => folder.screens.some((screen) => screen.path === path))?.id;
  const [turned, setTurned] = useState<ReadonlyMap<number, boolean>>(new Map());
  const waiting = useWaiting();
  const [sought, setSought] = useState('');
  const shown = foundIn(folders, collapsed ? '' : sought);
  const isOpen = (id: number): boolean => (shown !== folders ? true : (turned.get(id) ?? id === current));

  return (
    <nav className={collapsed ? 'side side-collapsed' : 'side'} aria-label="主菜单">
      <div className="side-brand">
        <img src={brand} alt="" width="28" height="28" />
        <strong>运营后台</strong>
      </div>
      {!collapsed && (
        <input
          type="search"
          className="side-search"
          aria-label="搜索菜单"
          placeholder="搜索菜单"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
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
        {shown.length === 0 && folders.length > 0 && <li className="side-none">没有这样的菜单</li>}
        {shown.map((folder) => (
          <Folder
            key={folder.id}
            folder={folder}
            path={path}
            collapsed={collapsed}
            addressFor={addressFor}
            waiting={folder.screens.flatMap(({ path: of }) => waiting.get(of) ?? [])}
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
  /** What waits on its screens. */
  readonly waiting: readonly Waiting[];
}

const wordsOf = (waiting: readonly Waiting[]): string => waiting.map(({ words }) => words).join('，');

/** The gravest of several. */
const toneOf = (waiting: readonly Waiting[]): Waiting['tone'] => {
  const tones = waiting.map(({ tone }) => tone);
  return tones.includes('bad') ? 'bad' : tones.includes('busy') ? 'busy' : 'own';
};

const Count = ({ waiting }: { readonly waiting: readonly Waiting[] }) => (
  <span className="side-count" data-tone={toneOf(waiting)} title={wordsOf(waiting)}>
    <span aria-hidden="true">{waiting.reduce((sum, { count }) => sum + count, 0)}</span>
    <span className="for-readers">，{wordsOf(waiting)}</span>
  </span>
);

const CountOf = ({ waiting }: { readonly waiting: readonly Waiting[] }) =>
  waiting.length > 0 && <Count waiting={waiting} />;

function Folder({ folder, path, collapsed, addressFor, waiting, isCurrent, open, onToggle }: FolderProps) {
  const unfolded = open && !collapsed;
  const isShown = waiting.length > 0 && !unfolded;
  const words = isShown ? `，${wordsOf(waiting)}` : '';
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
        aria-label={collapsed ? `${folder.title}${words}` : undefined}
        title={folder.title}
        onClick={onClick}
      >
        <MenuIcon name={folder.iconClass} />
        <span className="side-text">{folder.title}</span>
        {isShown && <Count waiting={waiting} />}
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
          <span className="side-text" title={screen.title}>
            {screen.title}
          </span>
          <CountOf waiting={waiting.filter((one) => one.path === screen.path)} />
        </Link>
      </li>
    ))}
  </ul>
);
