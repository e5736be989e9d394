import { type FormEvent, memo, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { AskedField } from '../form/field-spec.ts';
import type { Option } from '../form/options.ts';
import { Button } from '../overlay/Button.tsx';
import { FieldError, goToError, saidAt } from '../overlay/FieldError.tsx';
import { isRange, lacksEnd, type SearchValue } from './address.ts';
import { SearchInput } from './SearchInput.tsx';
import { isBelowFirst, useFold } from './use-fold.ts';
import { useSlashFocus } from './use-slash-focus.ts';
import './search-bar.css';

interface SearchBarProps {
  readonly asked: readonly AskedField[];
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
  readonly filters: Readonly<Record<string, SearchValue>>;
  /** What the server says is wrong with what was searched for, by field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onSearch: (filters: Readonly<Record<string, SearchValue>>) => void;
}

/** What was typed, as the address holds it: trimmed text, or several texts. */
const searchValue = (value: unknown): SearchValue =>
  Array.isArray(value) ? value.map(String) : String(value ?? '').trim();

type Draft = Readonly<Record<string, unknown>>;

/** The search that was typed as the address will have it: in the order of the fields, without those that are empty. */
const filtersOf = (asked: readonly AskedField[], draft: Draft): SearchBarProps['filters'] =>
  Object.fromEntries(
    asked
      .map(({ field: { name } }) => [name, searchValue(draft[name])] as const)
      .filter(([, value]) => value.length > 0),
  );

/**
 * What is typed in the search, and how it is asked for. Going back or following a link changes the search from outside, and this
 * with it; sorting and turning pages do not, and leave what is half typed. So does the answer to what was asked for: it may take its time.
 */
function useDraft({ filters, onSearch }: Pick<SearchBarProps, 'filters' | 'onSearch'>) {
  const [draft, setDraft] = useState<Draft>(filters);
  const [sent, setSent] = useState<{ readonly draft: Draft; readonly searched: string }>();
  const searched = JSON.stringify(filters);
  const [shown, setShown] = useState(searched);
  if (shown !== searched) {
    setShown(searched);
    setSent(undefined);
    const isTypedSince = sent?.searched === searched && sent.draft !== draft;
    // Searched for by this bar itself, it stays the draft it was, and no field is drawn again.
    if (!isTypedSince && JSON.stringify(draft) !== searched) setDraft(filters);
  }
  const ask = (typed: Draft, wanted: SearchBarProps['filters']) => {
    setDraft(typed);
    setSent({ draft: typed, searched: JSON.stringify(wanted) });
    onSearch(wanted);
  };
  /** How often this was searched for since something was typed. */
  const [tries, setTries] = useState(0);
  const enter = useCallback((name: string, value: unknown) => {
    setTries(0);
    setDraft((before) => ({ ...before, [name]: value }));
  }, []);
  return { draft, enter, ask, tries, attempt: () => setTries((before) => before + 1) };
}

type Searched = Pick<SearchBarProps, 'filters' | 'errors'>;

/** What is wrong with a field of the search; nothing of what the server refused once something else is typed in it. */
function errorIn(one: AskedField, draft: Draft, { filters, errors }: Searched) {
  const { name } = one.field;
  const typed = filtersOf([one], draft)[name];
  return JSON.stringify(typed) === JSON.stringify(filters[name]) ? errors[name] : undefined;
}

/** What is wrong with fields: ranges that lack an end, once they were searched for, and what the server refused; whether a search is refused here. */
function useWrong(asked: readonly AskedField[], draft: Draft, searched: Searched) {
  const [refused, setRefused] = useState(false);
  const lackingIn = (values: Draft) => asked.filter(({ field }) => lacksEnd(field, values));
  const refuses = (values: Draft): boolean => {
    const lacks = lackingIn(values).length > 0;
    setRefused(lacks);
    return lacks;
  };
  const told = refused || lackingIn(searched.filters).length > 0 ? lackingIn(draft) : [];
  const errorsOf = (one: AskedField) =>
    told.includes(one) ? missing[one.field.kind] : errorIn(one, draft, searched);
  return { wrong: new Map(asked.map((one) => [one, errorsOf(one)])), refuses };
}

/** Leads whoever searched in vain to what is wrong, and nobody who has typed since or came by a link. */
function useWayToError(fields: RefObject<HTMLElement | null>, tries: number, isRight: boolean): void {
  useEffect(() => {
    if (tries > 0 && !isRight) goToError(fields.current);
  }, [fields, tries, isRight]);
}

/** The search on top of a list: nothing is asked before 搜索 or Enter. */
export function SearchBar({ asked, options, filters, errors, onSearch }: SearchBarProps) {
  const { draft, enter, ask, tries, attempt } = useDraft({ filters, onSearch });
  const id = useId();
  const fields = useRef<HTMLDivElement>(null);
  useSlashFocus(fields);
  const { folds, folded, setFolded } = useFold(fields, Object.keys(filters));

  const { wrong, refuses } = useWrong(asked, draft, { filters, errors });
  const isRight = [...wrong.values()].every((text) => text === undefined);

  useWayToError(fields, tries, isRight);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt();
    if (!refuses(draft)) ask(draft, filtersOf(asked, draft));
  };

  return (
    <search>
      <form className="list-search" onSubmit={submit}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: focus passes through, nothing is done to the box itself */}
        <div
          ref={fields}
          className="list-fields"
          // What is wrong stands below its field, for which one folded row has no room.
          data-folded={(folded && isRight) || undefined}
          // Whoever gets to a field out of sight, by keyboard or by a label, sees all of them.
          onFocus={({ target }) => isBelowFirst(target) && setFolded(false)}
        >
          {asked.map((one) => (
            <SearchField
              key={one.field.name}
              asked={one}
              id={`${id}${one.field.name}`}
              values={draft}
              onChange={enter}
              options={options[one.field.name]}
              error={wrong.get(one)}
            />
          ))}
        </div>
        <div className="list-search-buttons">
          <Button type="submit" tone="primary">
            搜索
          </Button>
          <Button onClick={() => refuses({}) || ask({}, {})}>重置</Button>
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

interface SearchFieldProps {
  readonly asked: AskedField;
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (name: string, value: unknown) => void;
  readonly options: readonly Option[] | undefined;
  readonly error: string | undefined;
}

/** What is told where a range lacks an end, by its kind. */
const missing: Readonly<Record<string, string>> = {
  range: '请选择开始和结束时间',
  days: '请选择开始和结束日期',
};

/** Pickers take as long to be drawn as the rows that are searched for, so a field is drawn again only when something is typed. */
const SearchField = memo(function SearchField({
  asked,
  id,
  values,
  onChange,
  options,
  error,
}: SearchFieldProps) {
  const { name, label } = asked.field;
  const onOwn = (value: unknown) => onChange(name, value);
  return (
    <div data-field={name} className={isRange(asked.field) ? 'list-field list-field-wide' : 'list-field'}>
      <label htmlFor={id}>{label}</label>
      <SearchInput
        {...{ asked, id, values, options }}
        value={values[name]}
        onChange={onOwn}
        {...saidAt({ id, error })}
      />
      <FieldError id={id} error={error} />
    </div>
  );
});
