import { type ReactNode, Suspense, use, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type DrillDown, drillDowns } from '#contract/drill-downs.ts';
import { nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import type { ScreenPath } from '#contract/screens.ts';
import { PathsContext } from '../../kit/call/index.ts';
import { Within } from '../../kit/list/index.ts';
import { ScreenContext } from '../../kit/overlay/index.ts';
import './row-page.css';

/** What stands on the page beside the lists of other screens. */
export interface RowPart {
  /** What it is called in the address. */
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface ListPartProps extends Pick<DrillDown, 'screen' | 'field'> {
  readonly noun: NounName;
  readonly id: number;
}

/** Another screen's own list of what belongs to the row. */
function ListPart({ screen, field, noun, id }: ListPartProps) {
  const Screen = use(ScreenContext).get(screen);
  const given = useMemo(() => ({ noun, search: { [field]: String(id) } }), [noun, field, id]);
  return (
    Screen && (
      <Within path={screen} given={given}>
        <Screen />
      </Within>
    )
  );
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

interface RowPageProps {
  readonly noun: NounName;
  readonly id: number;
  readonly head: ReactNode;
  readonly parts?: readonly RowPart[];
  /** Lists whose one row the head tells already. */
  readonly except?: readonly ScreenPath[];
}

/** A row in full: what it is, what can be done with it, and the lists of what belongs to it, each as its own screen has it. */
export function RowPage({ noun, id, head, parts = [], except = [] }: RowPageProps) {
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
            to={{ search: `?id=${id}&tab=${key}` }}
            aria-current={key === shown?.key ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <section className="row-part" aria-label={shown?.title}>
        <Suspense fallback={null}>{shown?.content}</Suspense>
      </section>
    </div>
  );
}
