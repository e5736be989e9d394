import { use, useMemo } from 'react';
import type { DrillDown } from '#contract/drill-downs.ts';
import type { NounName } from '#contract/ref.ts';
import { Within } from '../../kit/list/index.ts';
import { ScreenContext } from '../../kit/overlay/index.ts';

interface ListPartProps extends Pick<DrillDown, 'screen' | 'field'> {
  readonly noun: NounName;
  readonly id: number;
}

/** Another screen's own list, of what belongs to a row alone. */
export function ListPart({ screen, field, noun, id }: ListPartProps) {
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
