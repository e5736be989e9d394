const decoder = new TextDecoder('gb18030');

/** The two bytes of every character that has two. */
const pairs = new Map<string, readonly [number, number]>();
for (let first = 0x81; first <= 0xfe; first += 1)
  for (let second = 0x40; second <= 0xfe; second += 1)
    if (second !== 0x7f) pairs.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);

/** A text of common characters as Chinese sources of old send it. */
export const gb18030 = (text: string): Buffer =>
  Buffer.from([...text].flatMap((character) => pairs.get(character) ?? [character.charCodeAt(0)]));
