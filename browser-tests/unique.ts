import { randomUUID } from 'node:crypto';

/** A name that no other test gives, with eight letters and digits behind what it is to begin with. */
export const unique = (name = ''): string => `${name}${randomUUID().slice(0, 8)}`;
