/** A function that works once for each object that it is asked about: what it found is kept as long as the object. */
export function oncePer<Of extends object, Found>(work: (of: Of) => Found): (of: Of) => Found {
  const known = new WeakMap<Of, { readonly found: Found }>();
  return (of) => {
    let kept = known.get(of);
    if (!kept) {
      kept = { found: work(of) };
      known.set(of, kept);
    }
    return kept.found;
  };
}
