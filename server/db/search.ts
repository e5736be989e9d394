const literally = (part: string): string => part.replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern for a part of a text, taken literally. */
export const containing = (part: string): string => `%${literally(part)}%`;

/** A LIKE pattern for the beginning of a text, taken literally. */
export const beginning = (part: string): string => `${literally(part)}%`;
