const MOST_SHOWN = 50;

/** Says how far a proof is, over and over on one line, where somebody watches. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
}

/** As in `用时 3.2 秒`; `began` is of `performance.now()`. */
export const timeSince = (began: number): string =>
  `用时 ${((performance.now() - began) / 1_000).toFixed(1)} 秒`;

/** The most memory that this process has held, as in `内存峰值 80 MB`. */
export const peakMemory = (): string => `内存峰值 ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`;

/** Tells the first of what a proof found broken, then its verdict on what it went through; ends the command with 1 where anything is broken. */
export function tellProof(broken: number, sentences: readonly string[], through: string): void {
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const sentence of sentences.slice(0, MOST_SHOWN)) console.log(sentence);
  if (broken > MOST_SHOWN) console.log(`另有 ${broken - MOST_SHOWN} 处没有列出`);
  const verdict = broken === 0 ? '全部相符' : `${broken} 处不符`;
  console.log(`${verdict}：${through}`);
  if (broken > 0) process.exitCode = 1;
}
