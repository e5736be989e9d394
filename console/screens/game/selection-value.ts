import type { SelectionKind, SelectionRule } from '#contract/selections.ts';

/** What operators read for the kinds of selections. */
export const kindWords: Readonly<Record<SelectionKind, string>> = {
  SINGLE: '单个号码',
  COMBINATION: '组合（任选几个）',
  PLACES: '按位（每位各选）',
  GROUP: '组选（按重复次数）',
  TICKET: '分区（如红球＋蓝球）',
};

const isKind = (code: string): code is SelectionKind => code in kindWords;
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
  readonly distinct: boolean;
  readonly shared: boolean;
  readonly parts: readonly PartValue[];
}

const usualPart: PartValue = { choose: 1, repeat: 1, of: [], bankers: false };
const usual: SelectionValue = {
  ...{ kind: 'SINGLE', choose: 2, of: [], distinct: false, shared: false },
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

/** Pools of PLACES and GROUP that differ by part cannot be edited as one list. */
export const hasOwnPools = (rule: SelectionRule | null): boolean =>
  rule !== null && (rule.kind === 'PLACES' || rule.kind === 'GROUP') && !isList(rule.of);

/** A rule as it is edited. */
export function editedSelection(rule: SelectionRule | null): SelectionValue {
  if (rule === null) return usual;
  if (rule.kind === 'COMBINATION') return { ...usual, ...rule };
  const of = listOf(rule.of);
  if (rule.kind === 'PLACES')
    return { ...usual, kind: 'PLACES', choose: rule.places, of, distinct: rule.distinct ?? false };
  if (rule.kind === 'GROUP') {
    const parts = rule.parts.map((part) => ({ ...usualPart, ...part }));
    return { ...usual, kind: 'GROUP', of, shared: rule.shared ?? false, parts };
  }
  const parts = rule.parts.map(({ choose, bankers = false, ...part }, place) => ({
    ...{ ...usualPart, choose, bankers },
    of: part.of ?? listOf(rule.of, place),
  }));
  return { ...usual, kind: 'TICKET', parts };
}

/** What is sent of a selection: only what its kind knows. */
export function sentSelection({
  kind,
  choose,
  of,
  distinct,
  shared,
  parts,
}: SelectionValue): SelectionRule | null {
  if (kind === 'SINGLE') return null;
  if (kind === 'COMBINATION') return { kind, choose, of: [...of] };
  if (kind === 'PLACES') return { kind, places: choose, of: [...of], ...(distinct ? { distinct } : {}) };
  if (kind === 'GROUP') {
    const own = parts.map(({ repeat, choose: count }) => ({ repeat, choose: count }));
    return { kind, parts: own, of: [...of], ...(shared ? { shared } : {}) };
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
  repeat: Math.max(0, ...parts.map(({ repeat }) => repeat)) + 1,
});
