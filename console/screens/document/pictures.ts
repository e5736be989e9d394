/** Made from the running product by scripts/handbook-pictures.ts. */
const pictures = import.meta.glob<string>('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Where a screen's picture is, by the name of the screen. */
export const pictureOf = (name: string): string | undefined => pictures[`./pictures/${name}.webp`];
