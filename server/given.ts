/** A value that has to be there. One that is not, such as the id of a row just written, is a fault and never some other value. */
export function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('there is nothing to go on with');
  return value;
}
