import { contract, type EndpointName } from '#contract/all.ts';
import { type Context, type Handlers, unwrap } from './handler.ts';
import { withMoments } from './input.ts';
import { sortedRows } from './sorted-rows.ts';

/** Reads pages of a list by its own handler. `input` was checked; each call gives the paging. */
export function listPages<N extends EndpointName>(
  name: N,
  handler: Handlers[N],
  input: Readonly<Record<string, unknown>>,
  context: Context,
): (paging: object) => Promise<unknown> {
  const { handle } = unwrap<N>(handler);
  const meant = withMoments(contract[name], input, context.config.timeZone);
  return async (paging) => {
    const asked = { ...meant, ...paging } as Parameters<typeof handle>[1];
    return sortedRows(await handle(context, asked), input);
  };
}
