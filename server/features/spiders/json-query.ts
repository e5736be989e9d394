import { JSONPathEnvironment, JSONPathError, JSONPathRecursionLimitError, type JSONValue } from 'json-p3';
import { SourceUnreadable } from './collectors/drawn-result.ts';

/** A list of draws is a few levels deep; what goes further is no such list, and recursion over it is dangerous. */
const DEEPEST = 100;
const MOST_NODES = 200_000;
const MOST_MATCHES = 10_000;
/** Values looked at by all paths together: an honest list has each of its rows looked at a few times. */
const MOST_VISITS = 500_000;

const tooDeep = () => new SourceUnreadable(`来源返回的 JSON 嵌套超过 ${DEEPEST} 层`);
const environment = new JSONPathEnvironment({ maxRecursionDepth: DEEPEST + 2 });

/** What is wrong with a JSONPath of RFC 9535, in Chinese; nothing when it is one. */
export function jsonPathMistake(path: string): string | undefined {
  if (!path.startsWith('$')) return '须以 $ 开头';
  try {
    environment.compile(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    const rest = path.slice(error.token.index).slice(0, 30);
    return rest === '' ? `“${path}”没有写完` : `从“${rest}”起无法识别`;
  }
}

/** The same for a path that must lead to one place at most. */
export function singularPathMistake(path: string): string | undefined {
  const mistake = jsonPathMistake(path);
  if (mistake) return `不是有效的 JSONPath（RFC 9535）：${mistake}`;
  return environment.compile(path).singularQuery() ? undefined : '须只指向一处，例如 $.randomness';
}

/** Throws for a body that is too deep or has too many values to be looked through. */
function demandModest(json: unknown): void {
  let nodes = 0;
  const open: { values: unknown[]; depth: number }[] = [{ values: [json], depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    nodes += next.values.length;
    if (next.depth > DEEPEST) throw tooDeep();
    if (nodes > MOST_NODES) throw new SourceUnreadable(`来源返回的 JSON 超过 ${MOST_NODES} 个值`);
    for (const value of next.values)
      if (typeof value === 'object' && value !== null)
        open.push({ values: Object.values(value), depth: next.depth + 1 });
  }
}

/**
 * A document that may be asked for paths: it is modest, and everything taken out of it counts, whatever path asks and however often.
 * The library looks through a document as often as its path says, a product of lists for `$..[?@..x]`, and has no such bound of its own.
 * Throws `SourceUnreadable`, now or while it is looked through.
 */
export function bounded(json: JSONValue): JSONValue {
  demandModest(json);
  let visits = 0;
  const counted = new WeakMap<object, JSONValue>();
  const count = (value: JSONValue): JSONValue => {
    if (typeof value !== 'object' || value === null) return value;
    const known = counted.get(value) ?? new Proxy<typeof value>(value, { get });
    counted.set(value, known);
    return known;
  };
  function get(target: object, key: string | symbol): JSONValue {
    if (++visits > MOST_VISITS)
      throw new SourceUnreadable(
        `所填的 JSONPath 在来源的 JSON 里要查看超过 ${MOST_VISITS} 处，请写得更具体`,
      );
    return count(Reflect.get(target, key));
  }
  return count(json);
}

function* matches(json: JSONValue, path: string): Generator<JSONValue> {
  try {
    for (const node of environment.lazyQuery(path, json)) yield node.value;
  } catch (error) {
    throw error instanceof JSONPathRecursionLimitError ? tooDeep() : error;
  }
}

/** All values at a path of a document, in its order. The path is known to be valid. Throws `SourceUnreadable` when they are too many. */
export function selectAt(json: JSONValue, path: string): JSONValue[] {
  const found: JSONValue[] = [];
  for (const value of matches(json, path)) {
    if (found.length >= MOST_MATCHES)
      throw new SourceUnreadable(`JSONPath ${path} 选中的值超过 ${MOST_MATCHES} 个`);
    found.push(value);
  }
  return found;
}

/** The first value at a path of a document; nothing when there is none. */
export function firstAt(json: JSONValue, path: string): JSONValue | undefined {
  for (const value of matches(json, path)) return value;
  return undefined;
}
