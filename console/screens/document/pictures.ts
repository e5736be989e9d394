import { language } from '#contract/language.ts';

/** Made from the running product by scripts/handbook-pictures.ts, a folder for each language. */
const pictures = import.meta.glob<string>('./pictures/*/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Where a screen's picture is, by the name of the screen. */
export const pictureOf = (name: string): string | undefined =>
  pictures[`./pictures/${language}/${name}.webp`];
