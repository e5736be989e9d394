import { type ReactNode, Suspense, use } from 'react';
import { Link, useSearchParams } from 'react-router';
import { drillDowns } from '#contract/drill-downs.ts';
import { nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import type { ScreenPath } from '#contract/screens.ts';
import { PathsContext } from '../../kit/call/index.ts';
import { Fetching } from '../../kit/overlay/index.ts';
import { ListPart } from './ListPart.tsx';
import './row-page.css';

/** What stands on the page beside the lists of other screens. */
interface RowPart {
  /** What it is called in the address. */
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Every list of the contract that is searched for such rows and that the operator may open. */
function useLists(noun: NounName, id: number, except: readonly ScreenPath[]): RowPart[] {
  const paths = use(PathsContext);
  return drillDowns(noun)
    .filter(({ screen }) => paths.has(screen) && !except.includes(screen))
    .map(({ title, ...list }) => ({
      key: lastOf(list.screen),
      title,
      content: <ListPart key={list.screen} {...{ noun, id, ...list }} />,
    }));
}

/** Where a part of the page stands, with what its list is searched by at first. */
const searchOf = (id: number, tab: string, list: string | undefined): string =>
  `?${new URLSearchParams({ id: String(id), tab, ...(list === undefined ? undefined : { list }) })}`;

interface RowPageProps {
  readonly noun: NounName;
  readonly id: number;
  readonly head: ReactNode;
  readonly parts?: readonly RowPart[];
  /** What lists are searched by at first, as their address has it. */
  readonly begins?: Partial<Record<string, string>>;
  /** Lists whose one row the head tells already. */
  readonly except?: readonly ScreenPath[];
}

/** A row in full: what it is, what can be done with it, and the lists of what belongs to it, each as its own screen has it. */
export function RowPage({ noun, id, head, parts = [], begins = {}, except = [] }: RowPageProps) {
  const [params] = useSearchParams();
  const all = [...useLists(noun, id, except), ...parts];
  const shown = all.find(({ key }) => key === params.get('tab')) ?? all[0];
  return (
    <div className="row-page">
      {head}
      <nav className="row-tabs" aria-label={`${nounOf(noun).title}的内容`}>
        {all.map(({ key, title }) => (
          <Link
            key={key}
            to={{ search: searchOf(id, key, begins[key]) }}
            aria-current={key === shown?.key ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className="row-part">
        <Suspense fallback={<Fetching />}>{shown?.content}</Suspense>
      </div>
    </div>
  );
}
