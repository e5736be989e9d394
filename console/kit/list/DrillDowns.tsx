import { drillDowns } from '#contract/drill-downs.ts';
import type { NounName } from '#contract/ref.ts';
import type { ScreenPath } from '#contract/screens.ts';
import { ScreenLink } from '../overlay/ScreenLink.tsx';

interface DrillDownsProps {
  readonly noun: NounName;
  readonly id: number;
  /** The screen it stands on, if that is one of them. */
  readonly except?: ScreenPath;
}

/** Ways from a row to the lists of what belongs to it, as far as the operator may open them. */
export const DrillDowns = ({ noun, id, except }: DrillDownsProps) =>
  drillDowns(noun)
    .filter(({ screen }) => screen !== except)
    .map(({ title, screen, field }) => (
      <ScreenLink key={screen} to={screen} search={{ [field]: id }}>
        {title}
      </ScreenLink>
    ));
