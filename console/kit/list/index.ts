// What screens may use of the kit: lists and what belongs to their rows.
export type { SearchValue } from './address.ts';
export { Detail, DetailTable } from './Detail.tsx';
export { DrillDowns } from './DrillDowns.tsx';
export { ListScreen } from './ListScreen.tsx';
export { Money } from './Money.tsx';
export { Pager } from './Pager.tsx';
export { RelatedLists } from './RelatedLists.tsx';
export { RowLink } from './RowLink.tsx';
export { Within } from './Within.tsx';
