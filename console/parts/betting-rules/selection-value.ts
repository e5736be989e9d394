import { MOST_PARTS, type SelectionKind, type SelectionRule, selectionKinds } from '#contract/selections.ts';

const isKind = (code: string): code is SelectionKind => code in selectionKinds;
/** The kind of a chosen code; the usual one for what is none. */
export const kindOf = (code: string): SelectionKind => (isKind(code) ? code : 'SINGLE');

/** One part of a selection as it is edited, whatever the kind. */
export interface PartValue {
  readonly choose: number;
  readonly repeat: number;
  readonly of: readonly string[];
  readonly bankers: boolean;
}

/** A selection as it is edited: all that any kind may say. */
export interface SelectionValue {
  readonly kind: SelectionKind;
  readonly choose: number;
  readonly of: readonly string[];
  /** Whether every place, or every part of a group, has numbers of its own. */
  readonly apart: boolean;
  /** Those of the places; parts have theirs themselves. */
  readonly pools: readonly (readonly string[])[];
  readonly distinct: boolean;
  readonly shared: boolean;
  readonly parts: readonly PartValue[];
}

const usualPart: PartValue = { choose: 1, repeat: 1, of: [], bankers: false };
const usual: SelectionValue = {
  ...{ kind: 'SINGLE', choose: 2, of: [], apart: false, pools: [], distinct: false, shared: false },
  parts: [usualPart],
};

const isList = (of: readonly (string | readonly string[])[]): of is readonly string[] =>
  of.every((each) => typeof each === 'string');

/** The pool of a part; of one list for all parts the list itself. */
const listOf = (of: readonly (string | readonly string[])[] = [], part = 0): readonly string[] => {
  if (isList(of)) return of;
  const own = of[part];
  return typeof own === 'string' || own === undefined ? [] : own;
};

/** A pool for each place, of no more than can be: a count may be far above that while it is typed; one that is new starts with the numbers of the last. While no count is entered they stay. */
const poolsFor = (places: number, pools: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  places === 0
    ? pools
    : Array.from({ length: Math.min(places, MOST_PARTS) }, (_, place) => pools[place] ?? pools.at(-1) ?? []);

/** A rule as it is edited. */
export function editedSelection(rule: SelectionRule | null): SelectionValue {
  if (rule === null) return usual;
  if (rule.kind === 'COMBINATION') return { ...usual, ...rule };
  const of = listOf(rule.of);
  const apart = rule.of !== undefined && !isList(rule.of);
  if (rule.kind === 'PLACES') {
    const { kind, places: choose, distinct = false } = rule;
    const pools = apart ? rule.of.map((_, place) => listOf(rule.of, place)) : [];
    return { ...usual, kind, choose, of, apart, pools, distinct };
  }
  if (rule.kind === 'GROUP') {
    const { kind, shared = false } = rule;
    const parts = rule.parts.map((part, place) => ({ ...usualPart, ...part, of: listOf(rule.of, place) }));
    return { ...usual, kind, of, apart, shared, parts };
  }
  const parts = rule.parts.map(({ choose, bankers = false, ...part }, place) => ({
    ...{ ...usualPart, choose, bankers },
    of: part.of ?? listOf(rule.of, place),
  }));
  return { ...usual, kind: 'TICKET', parts };
}

/** Gives every place or part numbers of its own, at first those they had together; or all of them those of the first. */
export const withPoolsApart = (value: SelectionValue, apart: boolean): SelectionValue => ({
  ...value,
  apart,
  of: value.pools[0] ?? value.of,
  pools: apart ? poolsFor(value.choose, [value.of]) : [],
});

const copied = (pools: readonly (readonly string[])[]): string[][] => pools.map((pool) => [...pool]);

/** What is sent of a selection: only what its kind knows. */
export function sentSelection(value: SelectionValue): SelectionRule | null {
  const { kind, choose, of, apart, pools, distinct, shared, parts } = value;
  if (kind === 'SINGLE') return null;
  if (kind === 'COMBINATION') return { kind, choose, of: [...of] };
  if (kind === 'PLACES') {
    const own = apart ? copied(poolsFor(choose, pools)) : [...of];
    return { kind, places: choose, of: own, ...(distinct ? { distinct } : {}) };
  }
  if (kind === 'GROUP') {
    const own = parts.map(({ repeat, choose: count }) => ({ repeat, choose: count }));
    // One set for all parts has one pool.
    if (shared) return { kind, parts: own, of: [...of], shared };
    return { kind, parts: own, of: apart ? copied(parts.map((part) => part.of)) : [...of] };
  }
  const own = parts.map((part) => ({
    ...{ choose: part.choose, of: [...part.of] },
    ...(part.bankers ? { bankers: true } : {}),
  }));
  return { kind, parts: own };
}

/** A part that is added. */
export const anotherPart = (parts: readonly PartValue[]): PartValue => ({
  ...usualPart,
  of: parts.at(-1)?.of ?? [],
  repeat: Math.max(0, ...parts.map(({ repeat }) => repeat)) + 1,
});
