/**
 * A door that lets a few through each turn of the event loop, in the order they came. A thousand requests that arrive together are
 * otherwise worked off in one piece, and whoever comes a moment later waits behind all of them.
 */
export function fewEachTurn(few: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const open = (): void => {
    for (const enter of waiting.splice(0, few)) enter();
    if (waiting.length > 0) setImmediate(open);
  };
  return () =>
    new Promise((enter) => {
      waiting.push(enter);
      if (waiting.length === 1) setImmediate(open);
    });
}
