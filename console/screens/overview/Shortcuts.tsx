import { Link } from 'react-router';
import { MenuIcon } from '../../kit/MenuIcon.tsx';
import { sideBarOf } from '../../kit/menu-tree.ts';
import { useMenus } from '../../kit/use-menus.ts';

/** Every screen this operator may open. */
export function Shortcuts() {
  const screens = sideBarOf(useMenus() ?? []).flatMap((folder) => folder.screens);
  if (screens.length === 0) return null;
  return (
    <section aria-label="快捷入口">
      <h2>快捷入口</h2>
      <ul className="overview-shortcuts">
        {screens.map(({ path, title, iconClass }) => (
          <li key={path}>
            <Link to={path}>
              <MenuIcon name={iconClass} /> {title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
