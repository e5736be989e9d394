import type { z } from 'zod';
import type { ApprovalRuleName } from './approval-rules.ts';
import { shapeOf } from './row-schema.ts';
import type { ButtonCode, ReleaseRight, ScreenPath } from './screens.ts';

/**
 * How the fields that are not in the path travel: as a form, as a JSON object, as one bare JSON array (`array`: the first such field; any
 * others go in the query string), or not at all (`none`; those of a GET go in the query string).
 */
export type Body = 'none' | 'form' | 'json' | 'array';

/** Callable by whoever holds one of these screens; with a button code, by whoever holds that button. */
export interface Grant {
  readonly screens: readonly ScreenPath[];
  readonly button?: ButtonCode;
}

/** `platform` calls live under /open/v1 and are opened by the platform key; all others live under /api. */
export type Access = 'public' | 'signed-in' | 'platform' | Grant;

/** What a change is about, where a field says it: the headings by the codes of that field, as it was noted or sent. */
export interface AboutBy {
  readonly field: string;
  readonly headings: Readonly<Record<string, string>>;
}

/** What a command does: it adds, updates or deletes a row; anything else is `do`. */
export type Effect = 'add' | 'update' | 'delete' | 'do';

/** Which calls of an endpoint ask for a fresh Google code: all, or those whose input meets a condition. */
export type StepUp<I extends z.ZodType> = true | { when(input: z.output<I>): boolean };

/** When a call takes effect only after a second operator releases it, and the right that takes. */
interface Release {
  /** The rule that decides by the checked input, or by what the call does, whether a release is needed. */
  readonly when: ApprovalRuleName;
  /** The right of whoever releases it. */
  readonly by: ReleaseRight;
}

/** Which calls of an endpoint take effect only after a second operator releases them. */
export interface Approval extends Release {
  /** Another rule with another right. A call that meets both rules is refused, and has to be made as two calls. */
  readonly or?: Release;
  /** Neither its maker nor whoever releases it may hold the right to any of these calls. */
  readonly blindTo?: readonly AnyEndpoint[];
}

/** A total of a list: the sum of a money field, over all rows or those where another field holds a code. */
export interface Total {
  readonly label: string;
  readonly field: string;
  readonly where?: readonly [field: string, code: string];
}

/** The totals of a list by their names in the answer of `call`, which takes the list's own search fields. */
export interface Sums {
  readonly call: Endpoint;
  readonly totals: Readonly<Record<string, Total>>;
}

/**
 * One call of the product, said once: server, console, OpenAPI, access check, seeded menus and tests derive from it.
 * `path` is the literal wire path after the base, with `{field}` where a field of the input travels in it.
 */
export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** A query changes nothing; a command may. The verb says neither. */
  readonly kind: 'query' | 'command';
  readonly verb: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** What the call does, in Chinese: for OpenAPI and the change record. */
  readonly summary: string;
  readonly body: Body;
  readonly input: I;
  readonly output: O;
  readonly access: Access;
  /** For the success sentence and the look of a command's button; `do` unless given. */
  readonly effect?: Effect;
  /** The heading of the noun whose row a change is about, where the call stands under another: a player's own limit is about the player. */
  readonly about?: string | AboutBy;
  /** What a list's rows are called, for the name of an exported file, where the heading of their file does not say it. */
  readonly noun?: string;
  /** The field that a list's rows are known by in the change record, where they have no `id`. */
  readonly knownBy?: string;
  /**
   * The table whose rows the frame lists, adds, changes or removes for this call, by its `effect`; the call has no handler. Fields of the input
   * are columns. A list finds texts by a part of them, and has the newest row first.
   */
  readonly rows?: string | undefined;
  /** The row that an edit changes, or the list that a command replaces: a call refused as stale answers these fields as they are now. */
  readonly edits?: z.ZodObject;
  /** What a refusal tells a program that is to try again, beside the sentence at its field. */
  readonly told?: z.ZodObject;
  /** Operators with a Google key must have given a fresh code in their session; the frame sees to it, no handler knows. */
  readonly stepUp?: StepUp<I>;
  /**
   * A command that adds a row also takes a table of rows, all or none; see `contract/imports.ts`. With `tells`, checking a table gives these
   * columns of each row that it would add or change, before and after.
   */
  readonly imports?: true | { readonly tells: readonly string[] };
  /**
   * While approvals are in force, the frame stores a call that needs one with a preview, answers `Submitted`, and executes it once it is released.
   * It also asks for a fresh Google code, as `stepUp` does. No handler knows.
   */
  readonly approval?: Approval;
  /** The answer carries an ETag; a caller who has it already gets 304. */
  readonly revalidated?: true;
  /** The totals of a list of money. */
  readonly sums?: Sums;
  /** With `Accept: text/event-stream` the call keeps answering for as long as the caller may make it. */
  readonly streams?: true;
}

export type AnyEndpoint = Endpoint<z.ZodType, z.ZodType>;
/** What a caller sends: text or native values. */
export type WireInput<E extends AnyEndpoint> = z.input<E['input']>;
/** What a handler receives: decoded and checked. */
export type Input<E extends AnyEndpoint> = z.output<E['input']>;
/** What the envelope's `data` holds on success. */
export type Output<E extends AnyEndpoint> = z.output<E['output']>;

type Wire = `${'GET' | 'POST'} /${string}`;
type Declaration<I extends z.ZodType, O extends z.ZodType, R> = Omit<
  Endpoint<I, O>,
  'kind' | 'verb' | 'path' | 'rows'
> & { readonly rows?: R };
type Declared<I extends z.ZodType, O extends z.ZodType, R> = Endpoint<I, O> & { readonly rows?: R };

/** Declares a call that only reads. `wire` is the literal verb and path, as in `GET /pms/role/deleteById/{id}`. */
export function query<I extends z.ZodType, O extends z.ZodType, R extends string | undefined = undefined>(
  wire: Wire,
  rest: Declaration<I, O, R>,
) {
  return declare('query', wire, rest);
}

/** Declares a call that may change state: it is recorded, idempotent by key, and never answered from a cache. */
export function command<I extends z.ZodType, O extends z.ZodType, R extends string | undefined = undefined>(
  wire: Wire,
  rest: Declaration<I, O, R>,
) {
  return declare('command', wire, rest);
}

function declare<I extends z.ZodType, O extends z.ZodType, R extends string | undefined>(
  kind: Endpoint['kind'],
  wire: Wire,
  rest: Declaration<I, O, R>,
): Declared<I, O, R> {
  const space = wire.indexOf(' ');
  const path = wire.slice(space + 1);
  if (!startsWithSlash(path)) throw new Error(`wire path must start with a slash: ${wire}`);
  return Object.freeze({ kind, verb: wire.startsWith('GET') ? 'GET' : 'POST', path, ...rest });
}

const startsWithSlash = (path: string): path is `/${string}` => path.startsWith('/');

/** The screens (and with `button` the button) that open a call. */
export function granted(screens: ScreenPath | readonly ScreenPath[], button?: ButtonCode): Grant {
  const list = typeof screens === 'string' ? [screens] : screens;
  return button ? { screens: list, button } : { screens: list };
}

/** The approval rules of a call, each with the right that releases it. */
export const releasesOf = ({ approval }: Pick<AnyEndpoint, 'approval'>): Release[] =>
  approval ? [approval, ...(approval.or ? [approval.or] : [])] : [];

/** The first call that somebody may make whose right keeps them from making or releasing this one (`blindTo`). */
export const sightOf = (
  { approval }: Pick<AnyEndpoint, 'approval'>,
  may: (call: AnyEndpoint) => boolean,
): AnyEndpoint | undefined => approval?.blindTo?.find(may);

/** The names of the fields that travel in the path, in order. */
export function pathFields(endpoint: AnyEndpoint): string[] {
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** The name of the field that travels as a bare array. */
export const arrayField = (endpoint: AnyEndpoint): string =>
  Object.keys(shapeOf(endpoint.input)).find((name) => !pathFields(endpoint).includes(name)) ?? '';

/** The path under which a call is mounted. */
export function basePath(endpoint: AnyEndpoint): '/api' | '/open/v1' {
  return endpoint.access === 'platform' ? '/open/v1' : '/api';
}
