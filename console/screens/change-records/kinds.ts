import { endpointsOf, nouns } from '#contract/all.ts';
import { isExportable } from '#contract/export-formats.ts';

/** What changes can be recorded of, under the headings that the record is searched by: whatever somebody can do something to, or take a list of. */
export const kinds = Object.entries(nouns)
  .filter(([, calls]) => endpointsOf(calls).some(([, call]) => call.kind === 'command' || isExportable(call)))
  .map(([heading]) => ({ value: heading, label: heading }))
  .toSorted((one, other) => one.label.localeCompare(other.label, 'zh-CN'));
