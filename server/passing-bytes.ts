import v8 from 'node:v8';

/**
 * What passes from the database to a reader lies outside of V8's heap, and at each 64 MB of it V8 would look through the whole heap: at every
 * twentieth page of a thousand rows. Counted among all that it holds, most of it is let go of by a look at what is young. Other versions of V8
 * know no such word, and complain.
 */
export function letBytesPass(): void {
  if (process.versions.v8.startsWith('13.'))
    v8.setFlagsFromString('--external-memory-accounted-in-global-limit');
}
