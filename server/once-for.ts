/** What is made of a thing once, when it is first asked for, and kept for as long as the thing itself is. */
export function onceFor<K extends object, V extends NonNullable<unknown>>(make: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const made = known.get(of) ?? make(of);
    known.set(of, made);
    return made;
  };
}
