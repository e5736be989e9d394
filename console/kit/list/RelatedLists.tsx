import { relatedLists } from '#contract/drill-downs.ts';
import type { NounName } from '#contract/ref.ts';
import { valueAt } from '../form/field.ts';
import { ScreenLink } from '../overlay/ScreenLink.tsx';

/** Ways from a row to what else there is of the same: of a plan's phase its record and slips. */
export const RelatedLists = ({ noun, row }: { readonly noun: NounName; readonly row: object }) =>
  relatedLists(noun).map(({ title, screen, fields }) => (
    <ScreenLink
      key={screen}
      to={screen}
      search={Object.fromEntries(fields.map((field) => [field, String(valueAt(row, field))]))}
    >
      {title}
    </ScreenLink>
  ));
