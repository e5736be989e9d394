import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { call } from '../call/call.ts';
import { rowsIn, totalIn } from '../form/options.ts';

export const idOf = (row: object): unknown => ('id' in row ? row.id : undefined);

interface Read {
  readonly endpoint: AnyEndpoint;
  readonly input: WireInput<AnyEndpoint>;
  /** What was read first. */
  readonly answer: unknown;
  /** Whether it is the page on which new rows stand: those of a later one were pushed there by them. */
  readonly isFirst: boolean;
}

/** Rows that were not there when a list was read: those whose ids are known, and whether there are more. */
interface Missed {
  readonly ids: readonly number[];
  readonly more: boolean;
}

/** Reads a list once more, behind the operator's back, and tells what has come to it; nothing where it cannot be read. */
export async function missedRows({ endpoint, input, answer, isFirst }: Read): Promise<Missed> {
  const now = await call(endpoint, input, { loading: false, quiet: true }).catch(() => answer);
  const grown = Math.max(0, totalIn(now) - totalIn(answer));
  const before = new Set(rowsIn<object>(answer).map(idOf));
  const others = (isFirst ? rowsIn<object>(now) : []).map(idOf).filter((id) => typeof id === 'number');
  const ids = others.filter((id) => !before.has(id)).slice(0, grown);
  return { ids, more: grown > ids.length };
}
