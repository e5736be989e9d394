import { strFromU8, unzipSync } from 'fflate';

/** The entries of a ZIP archive by name, as text. Reads the central directory, as spreadsheets do. */
export const unzipped = (archive: Buffer): ReadonlyMap<string, string> =>
  new Map(Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, strFromU8(bytes)]));
