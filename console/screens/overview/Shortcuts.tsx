import { Link } from 'react-router';
import { sideBarOf, useMenus } from '../../kit/call/index.ts';
import { MenuIcon } from '../../kit/overlay/index.ts';

/** Every screen this operator may open. */
export function Shortcuts() {
  const screens = sideBarOf(useMenus()).flatMap((folder) => folder.screens);
  if (screens.length === 0) return <p role="note">您还没有任何菜单，请联系管理员为您分配角色。</p>;
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
