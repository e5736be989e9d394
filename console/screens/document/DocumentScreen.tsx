import { Link, useSearchParams } from 'react-router';
import { useMayOpen } from '../../kit/call/index.ts';
import { TextInput } from '../../kit/form/index.ts';
import { anchorOf, type Chapter, type Part } from './chapter.ts';
import { parts } from './parts.ts';
import { pictureOf } from './pictures.ts';
import './document.css';

/** What of the handbook speaks of some words, in whatever case; a title that does stands for its whole chapter. */
function speakingOf(words: string): readonly Part[] {
  const wanted = words.toLowerCase();
  const speaks = (text: string): boolean => text.toLowerCase().includes(wanted);
  return parts
    .map(({ title, chapters }) => ({
      title,
      chapters: chapters.flatMap((chapter) => {
        const lines = chapter.lines.filter(speaks);
        if (speaks(chapter.title)) return [chapter];
        return lines.length > 0 ? [{ ...chapter, lines }] : [];
      }),
    }))
    .filter(({ chapters }) => chapters.length > 0);
}

/** The operator's handbook: every screen with its picture, and what it says of some words. */
export function DocumentScreen() {
  const [params, setParams] = useSearchParams();
  const words = (params.get('words') ?? '').trim();
  const shown = words === '' ? parts : speakingOf(words);
  return (
    <div className="document">
      <nav aria-label="目录">
        <search>
          <TextInput
            type="search"
            aria-label="搜索手册"
            placeholder="搜索手册"
            value={params.get('words') ?? ''}
            onChange={(text) => setParams(text === '' ? {} : { words: text }, { replace: true })}
          />
        </search>
        {shown.map(({ title, chapters }) => (
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
        {shown.length === 0 && <p role="status">{`手册中没有“${words}”。`}</p>}
        {shown.map(({ title, chapters }) => (
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

function ChapterText({ chapter }: { readonly chapter: Chapter }) {
  const { path, title, lines } = chapter;
  const mayOpen = useMayOpen(path ?? '');
  const picture = pictureOf(anchorOf(chapter));
  return (
    <section id={anchorOf(chapter)} aria-label={title}>
      <h3>
        {title}
        {path && mayOpen && <Link to={path}>打开</Link>}
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
