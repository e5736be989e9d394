import { use, useState } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { TabContext } from '../overlay/tab.ts';
import type { Values } from './conflict.ts';
import { dropDraft, keepDraft, readDraft } from './drafts.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * What is entered in a form that is no `FormDialog`: it outlives a reload until it is sent or given up, and marks its tab; secrets are not
 * kept. `word` and `row` tell one form of a call from another.
 */
export function useKept(endpoint: AnyEndpoint, word: string, row = '') {
  const tab = use(TabContext);
  const place = { tab, form: `${endpoint.path} ${word}`, row, menu: null };
  const [kept] = useState<Values>(() => readDraft(place)?.values ?? {});
  return {
    kept,
    keep: (values: Values) => keepDraft(place, { values: withoutSecrets(endpoint, values), opened: {} }),
    drop: () => dropDraft(place),
  };
}
