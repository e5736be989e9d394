import { type FormEvent, useId, useRef, useState } from 'react';
import type { AskedField } from '../form/field-spec.ts';
import type { Option } from '../form/options.ts';
import { Button } from '../overlay/Button.tsx';
import type { SearchValue } from './address.ts';
import { SearchInput } from './SearchInput.tsx';
import { isBelowFirst, useFold } from './use-fold.ts';
import { useSlashFocus } from './use-slash-focus.ts';

interface SearchBarProps {
  readonly asked: readonly AskedField[];
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
  readonly filters: Readonly<Record<string, SearchValue>>;
  readonly onSearch: (filters: Readonly<Record<string, SearchValue>>) => void;
}

/** What was typed, as the address holds it: trimmed text, or several texts. */
const searchValue = (value: unknown): SearchValue =>
  Array.isArray(value) ? value.map(String) : String(value ?? '').trim();

/** The search on top of a list: nothing is asked before 搜索 or Enter. */
export function SearchBar({ asked, options, filters, onSearch }: SearchBarProps) {
  const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>(filters);
  const id = useId();
  const fields = useRef<HTMLDivElement>(null);
  useSlashFocus(fields);
  const { folds, folded, setFolded } = useFold(fields, Object.keys(filters));
  // Going back or following a link changes the search from outside; sorting and turning pages do not, and leave what is half typed.
  const searched = JSON.stringify(filters);
  const [shown, setShown] = useState(searched);
  if (shown !== searched) {
    setShown(searched);
    setDraft(filters);
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = new Set(asked.map(({ field }) => field.name));
    const entries = Object.entries(draft).filter(([name]) => names.has(name));
    onSearch(Object.fromEntries(entries.map(([name, value]) => [name, searchValue(value)])));
  };
  const reset = () => {
    setDraft({});
    onSearch({});
  };

  return (
    <search>
      <form className="list-search" onSubmit={submit}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: focus passes through, nothing is done to the box itself */}
        <div
          ref={fields}
          className="list-fields"
          data-folded={folded || undefined}
          // Whoever gets to a field out of sight, by keyboard or by a label, sees all of them.
          onFocus={({ target }) => isBelowFirst(target) && setFolded(false)}
        >
          {asked.map((one) => {
            const { name, label, kind } = one.field;
            return (
              <div
                key={name}
                data-field={name}
                className={kind === 'range' || kind === 'days' ? 'list-field list-field-wide' : 'list-field'}
              >
                <label htmlFor={`${id}${name}`}>{label}</label>
                <SearchInput
                  asked={one}
                  id={`${id}${name}`}
                  value={draft[name]}
                  values={draft}
                  onChange={(value) => setDraft((before) => ({ ...before, [name]: value }))}
                  options={options[name]}
                />
              </div>
            );
          })}
        </div>
        <div className="list-search-buttons">
          <Button type="submit" tone="primary">
            搜索
          </Button>
          <Button onClick={reset}>重置</Button>
          {folds && (
            <Button aria-expanded={!folded} onClick={() => setFolded(!folded)}>
              {folded ? '更多条件' : '收起条件'}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
