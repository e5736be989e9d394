import { Link } from 'react-router';
import { useMenus } from '../../kit/use-menus.ts';
import { basics } from './basics.ts';
import { bets } from './bets.ts';
import { anchorOf, type Chapter, type Part } from './chapter.ts';
import { news, sessions, system } from './content.ts';
import { games } from './games.ts';
import { permissions } from './permissions.ts';
import { pictureOf } from './pictures.ts';
import { players } from './players.ts';
import './document.css';

const parts: readonly Part[] = [basics, permissions, games, bets, players, news, system, sessions];

/** The operator's handbook: every screen with its picture. */
export function DocumentScreen() {
  return (
    <div className="document">
      <nav aria-label="目录">
        {parts.map(({ title, chapters }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {chapters.map((chapter) => (
                <li key={anchorOf(chapter)}>
                  <a href={`#${anchorOf(chapter)}`}>{chapter.title}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <article>
        <h1>操作手册</h1>
        {parts.map(({ title, chapters }) => (
          <section key={title}>
            <h2>{title}</h2>
            {chapters.map((chapter) => (
              <ChapterText key={anchorOf(chapter)} chapter={chapter} />
            ))}
          </section>
        ))}
      </article>
    </div>
  );
}

const holds = (menus: ReturnType<typeof useMenus>, path: string): boolean =>
  (menus ?? []).some((menu) => menu.path === path || holds(menu.childrens, path));

function ChapterText({ chapter }: { readonly chapter: Chapter }) {
  const { path, title, lines } = chapter;
  const menus = useMenus();
  const picture = pictureOf(anchorOf(chapter));
  return (
    <section id={anchorOf(chapter)} aria-label={title}>
      <h3>
        {title}
        {path && holds(menus, path) && <Link to={path}>打开</Link>}
      </h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {picture && (
        <img src={picture} alt={`“${title}”页面`} width={960} height={600} loading="lazy" decoding="async" />
      )}
    </section>
  );
}
