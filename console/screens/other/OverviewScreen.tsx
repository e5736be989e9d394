import { Link } from 'react-router';
import { MenuIcon } from '../../kit/MenuIcon.tsx';
import { sideBarOf } from '../../kit/menu-tree.ts';
import { readOperatorName } from '../../kit/session.ts';
import { useMenus } from '../../kit/use-menus.ts';
import './overview.css';

/** The overview: every screen this operator may open, by folder. */
export function OverviewScreen() {
  const folders = sideBarOf(useMenus() ?? []);
  return (
    <div className="overview">
      <h1>您好，{readOperatorName() || '操作员'}</h1>
      <div className="overview-folders">
        {folders.map((folder) => (
          <section key={folder.id}>
            <h2>
              <MenuIcon name={folder.iconClass} /> {folder.title}
            </h2>
            <ul>
              {folder.screens.map((screen) => (
                <li key={screen.path}>
                  <Link to={screen.path}>
                    <MenuIcon name={screen.iconClass} /> {screen.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}
