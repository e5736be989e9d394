import { type ComponentType, lazy, useState } from 'react';

/** A line may be cut for a moment: what did not come is asked for again after so long. */
const PAUSES_MS = [1_000, 2_500];
/** By then whoever waited for the part has been told that it did not come. */
const TOLD_MS = 1_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Asks anew for style sheets that did not come: an import that is repeated takes them for there. */
async function restyle(): Promise<void> {
  const lost = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => sheet === null,
  );
  const asked = lost.map((link) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const next = link.cloneNode() as HTMLLinkElement;
    next.addEventListener('load', resolve);
    next.addEventListener('error', reject);
    link.replaceWith(next);
    return promise;
  });
  await Promise.all(asked);
}

/** What is loaded, in the end; throws where it does not come. */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  let ask = load;
  for (const ms of PAUSES_MS) {
    try {
      return await ask();
    } catch {
      await pause(ms);
      ask = async () => {
        await restyle();
        return load();
      };
    }
  }
  return ask();
}

/**
 * A part of the console in a file of its own, fetched when it is first drawn. React's `lazy` alone asks for the file once, and for as long as
 * the page stands breaks whatever would draw a part that did not come.
 */
export function fetched<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const begin = () =>
    lazy(async () => {
      const part = await patiently(load).catch((error: unknown) => {
        setTimeout(() => {
          Part = begin();
        }, TOLD_MS);
        throw error;
      });
      return { default: part };
    });
  let Part: ComponentType<P> = begin();
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each file, beside what draws it
  return function Fetched(props: P) {
    const [Drawn] = useState(() => Part);
    return <Drawn {...props} />;
  };
}
