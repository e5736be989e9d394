import { stop } from './stop.ts';

/**
 * The words behind a command that takes from `least` to `most` of them. Any other number ends it with how it is called, and so does what looks
 * like an option, for no command has one: `--help` is no file to write to.
 */
export function commandWords(usage: string, least: number, most = least): readonly string[] {
  const words = process.argv.slice(2);
  const isFitting = words.length >= least && words.length <= most;
  if (!isFitting || words.some((word) => word === '' || word.startsWith('--')))
    stop(`用法：npm run ${usage}`);
  return words;
}
