/** Ends a script with a sentence for whoever ran it. */
export function stop(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
