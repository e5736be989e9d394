/** A name as it is compared: in one way of writing and in small letters. Whatever is counted by name is counted by this. */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase();
