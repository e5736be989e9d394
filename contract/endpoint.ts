import type { z } from 'zod';
import type { ApprovalRuleName } from './approval-rules.ts';
import { shapeOf } from './row-schema.ts';
import type { ButtonCode, ReleaseRight, ScreenPath } from './screens.ts';

/**
 * How the fields that are not part of the path travel: not at all (`none`; a GET puts them in the query string),
 * as key-value form, as a JSON object, or as one bare JSON array (`array`: the first field beside the path's; what else there is
 * goes in the query string).
 */
export type Body = 'none' | 'form' | 'json' | 'array';

/** Callable by whoever holds one of these screens; with a button code, by whoever holds that button. */
export interface Grant {
  readonly screens: readonly ScreenPath[];
  readonly button?: ButtonCode;
}

/** `platform` calls live under /open/v1 and are opened by the platform key; all others live under /api. */
export type Access = 'public' | 'signed-in' | 'platform' | Grant;

/** What a command does to rows: everything that is no adding, changing or removing of one is `do`. */
export type Effect = 'add' | 'update' | 'delete' | 'do';

/** Which calls ask for a fresh Google code: every one, or those whose input says so. */
export type StepUp<I extends z.ZodType> = true | { when(input: z.output<I>): boolean };

/** When a call takes effect only once a second operator releases it, and what that takes. */
interface Release {
  /** The rule that tells from the checked input, and from what the call does, whether it is needed. */
  readonly when: ApprovalRuleName;
  /** What whoever releases it must hold. */
  readonly by: ReleaseRight;
}

/** Which calls take effect only when a second operator releases them. */
export interface Approval extends Release {
  /** Another rule, of what others release: a call that both would stop is to be made in two. */
  readonly or?: Release;
  /** Calls none of which who prepares or who releases may be able to make. */
  readonly blindTo?: readonly AnyEndpoint[];
}

/** A total of a list: a money field of its rows added up, of all rows or of those where a field holds a code. */
export interface Total {
  readonly label: string;
  readonly field: string;
  readonly where?: readonly [field: string, code: string];
}

/** The totals of a list, by the names under which `call` answers them for the whole search; it takes the list's own. */
export interface Sums {
  readonly call: Endpoint;
  readonly totals: Readonly<Record<string, Total>>;
}

/**
 * One call of the product, said once: server, console, OpenAPI, access check, seeded menus and tests derive from it.
 * `path` is the literal wire path after the base, with `{field}` where a field of the input travels in it.
 */
export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** A query changes nothing; a command may, whatever its verb says. */
  readonly kind: 'query' | 'command';
  readonly verb: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** What the call does, in Chinese: for OpenAPI and the change record. */
  readonly summary: string;
  readonly body: Body;
  readonly input: I;
  readonly output: O;
  readonly access: Access;
  /** What a command does to rows, for its answer's sentence and the look of its button; `do` unless said. */
  readonly effect?: Effect;
  /** What the rows of a list are called, for the name of its file. */
  readonly noun?: string;
  /**
   * The table whose rows this call lists, adds, changes or removes as they are, by its `effect`: the frame does it, and nobody writes a
   * handler. A field of the input is a column; a list finds texts by a part, and has the newest row first.
   */
  readonly rows?: string | undefined;
  /** The row that an edit changes, or the list that a command replaces: refused as stale, it is answered with these fields as they are now. */
  readonly edits?: z.ZodObject;
  /**
   * Operators with a Google key must have given a fresh code in their session before the frame lets this call through; no handler knows
   * of it.
   */
  readonly stepUp?: StepUp<I>;
  /**
   * A command that adds a row also takes a table of rows, all or none; see `contract/imports.ts`. With `tells` a check tells these columns
   * of each row that it would add or change, before and after.
   */
  readonly imports?: true | { readonly tells: readonly string[] };
  /**
   * While approvals are in force, the frame stores such a call with a preview and answers `Submitted`; it is executed once when it is
   * released. It asks for a fresh Google code like `stepUp`. No handler knows of it.
   */
  readonly approval?: Approval;
  /** The answer carries an ETag, and a caller who has it already is told so (304) instead of being sent it again. */
  readonly revalidated?: true;
  /** Of a list of money: what its rows come to. */
  readonly sums?: Sums;
  /** Asked for `text/event-stream`, the call goes on answering for as long as the caller may make it. */
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

/** Each rule by which a call may need a second operator, with what releasing it takes. */
export const releasesOf = ({ approval }: Pick<AnyEndpoint, 'approval'>): Release[] =>
  approval ? [approval, ...(approval.or ? [approval.or] : [])] : [];

/** The names of the fields that travel in the path, in order. */
export function pathFields(endpoint: AnyEndpoint): string[] {
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** The field that a bare array stands for. */
export const arrayField = (endpoint: AnyEndpoint): string =>
  Object.keys(shapeOf(endpoint.input)).find((name) => !pathFields(endpoint).includes(name)) ?? '';

/** Where a call is mounted. */
export function basePath(endpoint: AnyEndpoint): '/api' | '/open/v1' {
  return endpoint.access === 'platform' ? '/open/v1' : '/api';
}
