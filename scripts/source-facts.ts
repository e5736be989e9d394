import { parseSync } from 'vite';

/** A file of the repository, by its path from the root. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** A place in a file. */
export interface Place {
  readonly name: string;
  readonly line: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly key?: { readonly name?: string };
  readonly optional?: boolean;
  readonly body?: unknown;
  readonly members?: unknown;
  readonly typeAnnotation?: { readonly typeName?: { readonly name?: string } };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The nodes of a syntax tree that are wanted, outermost first; what lies in one of them is not looked at again. */
function found(tree: unknown, wanted: (node: Node) => boolean): Node[] {
  if (isNode(tree) && wanted(tree)) return [tree];
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.values(tree).flatMap((part) => found(part, wanted));
}

const CASTS = ['TSAsExpression', 'TSTypeAssertion', 'TSNonNullExpression'];
/** Whether the compiler is told what to believe. `as const` tells it nothing it could not see. */
const isCast = ({ type, typeAnnotation }: Node): boolean =>
  CASTS.includes(type) && typeAnnotation?.typeName?.name !== 'const';

/** Where a file overrules the compiler. */
export function castsOf({ name, text }: SourceFile): Place[] {
  return found(parseSync(name, text).program, isCast).map(({ start, end }) => ({
    name,
    line: text.slice(0, start).split('\n').length,
    text: text.slice(start, end).replaceAll(/\s+/g, ' '),
  }));
}

const isMember = ({ type }: Node): boolean => type === 'TSPropertySignature';
const isObjectType = ({ type }: Node): boolean => type === 'TSInterfaceBody' || type === 'TSTypeLiteral';

/**
 * The object types of a file that say again what a call takes, by their fields: all of them are fields of one input, and one may be
 * left out as only inputs' may (`name?: … | undefined`). A row's id with its version is no input.
 */
export function retypedInputs({ name, text }: SourceFile, inputs: readonly ReadonlySet<string>[]): Place[] {
  return found(parseSync(name, text).program, isObjectType).flatMap(({ start, end, body, members }) => {
    const fields = found(body ?? members, isMember);
    const names = fields.map(({ key }) => key?.name ?? '');
    const mayBeLeftOut = fields.some(
      (field) =>
        field.optional &&
        / \| undefined;?$/.test(text.slice(field.start, field.end)) &&
        !/\bnull\b/.test(text.slice(field.start, field.end)),
    );
    const isKnown = inputs.some((input) => names.every((field) => input.has(field)));
    const isRow = names.every((field) => field === 'id' || field === 'version');
    if (!mayBeLeftOut || !isKnown || isRow || names.length < 2) return [];
    const line = text.slice(0, start).split('\n').length;
    return [{ name, line, text: text.slice(start, end).replaceAll(/\s+/g, ' ') }];
  });
}

/** Tests and what only they use. */
export const isTest = (name: string): boolean =>
  /\.(test|spec|fault)\.tsx?$/.test(name) || /^(server\/(testing|faults)|browser-tests)\//.test(name);

/** What an operator's installation runs. */
export const isProgram = (name: string): boolean =>
  /^(contract|server|console)\//.test(name) && !isTest(name);

/** Where the compiler may be overruled, since the types end there: the wire, the database, forms of any call. */
export const isGround = (name: string): boolean => /^(server\/http|server\/db|console\/kit)\//.test(name);

const FEATURE = /^server\/features\/([^/]+)\//;

/** The feature folders that each of them imports from, tests aside. */
function importsBetweenFeatures(files: readonly SourceFile[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { name, text } of files.filter((file) => isProgram(file.name))) {
    const from = FEATURE.exec(name)?.[1];
    if (!from) continue;
    const others = graph.get(from) ?? new Set();
    graph.set(from, others);
    for (const [, path = ''] of text.matchAll(/\bfrom '([^']+)'/g)) {
      const to = FEATURE.exec(new URL(path, `file:///${name}`).pathname.slice(1))?.[1];
      const absolute = /^#server\/features\/([^/]+)\//.exec(path)?.[1];
      const other = path.startsWith('#') ? absolute : to;
      if (other && other !== from) others.add(other);
    }
  }
  return graph;
}

/** All folders that one of them leads to, on however many ways. */
function reachable(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const reached = new Set(graph.get(from));
  for (const folder of reached) for (const next of graph.get(folder) ?? []) reached.add(next);
  return reached;
}

/** Feature folders that import from one another, directly or by way of others: in one circle, none can be read before the others. */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const graph = importsBetweenFeatures(files);
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachable(graph, folder)]));
  const leads = (from: string, to: string) => reached.get(from)?.has(to) === true;
  const circles = [...graph.keys()].map((one) =>
    [...graph.keys()].filter((other) => leads(one, other) && leads(other, one)),
  );
  return circles.filter(
    (circle, place) => circle.length > 1 && circles.findIndex((same) => same[0] === circle[0]) === place,
  );
}
