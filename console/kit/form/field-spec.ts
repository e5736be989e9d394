import type { ComponentType } from 'react';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import type { Said } from '../overlay/FieldError.tsx';
import { type Field, fieldOf } from './field.ts';
import type { Option, Options } from './options.ts';
import { choosing } from './references.ts';

/** The names of a call's fields. */
export type FieldName<E extends AnyEndpoint> = keyof WireInput<E> & string;

/** What an input drawn by the screen itself is given. */
export interface InputProps extends Said {
  readonly id: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** All that is entered so far, by field. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly label?: string;
  /** What there is to choose from, where the field says so or refers to rows; undefined until they are read. */
  readonly options?: readonly Option[] | undefined;
}

/** A field of a search or form that needs more than its contract says. */
export interface FieldOverride<N extends string = string> {
  readonly field: N;
  readonly label?: string;
  readonly options?: Options;
  readonly placeholder?: string;
  /** Marks a field that this form cannot do without, though the call can. */
  readonly required?: boolean;
  /** A sentence under the input, by the values entered so far: how it is to be filled. */
  readonly hint?: (values: Readonly<Record<string, unknown>>) => string | undefined;
  /** The words by which the handbook explains it: a link beside the label leads there. */
  readonly help?: string;
  /** An input of the screen's own. */
  readonly input?: ComponentType<InputProps>;
  /** Whether the field is there, by the values entered so far. */
  readonly when?: (values: Readonly<Record<string, unknown>>) => boolean;
}

/** A field by its name alone, or with what is special about it. */
export type FieldSpec<N extends string = string> = N | FieldOverride<N>;

export interface AskedField extends Omit<FieldOverride, 'field' | 'label' | 'required' | 'options'> {
  readonly field: Field;
  /** What there is to choose from, by the values entered so far; no such thing where a value is typed. */
  readonly optionsFor: ((values: Readonly<Record<string, unknown>>) => Options | undefined) | undefined;
}

/** Joins what a screen says about its fields with what the contract knows of them. */
export function askedFields(endpoint: AnyEndpoint, specs: readonly FieldSpec[]): AskedField[] {
  return specs.map((spec) => {
    const given: FieldOverride = typeof spec === 'string' ? { field: spec } : spec;
    const { field: name, label, required, options, ...rest } = given;
    const known = fieldOf(endpoint.input, name);
    // What a screen draws itself may show without asking: there it says whether it must be filled in.
    const mustBe = required ?? (known.required && given.input === undefined);
    const field = { ...known, label: label ?? known.label, required: mustBe };
    return { ...rest, field, optionsFor: options ? () => options : choosing(field) };
  });
}
