/** Texts on several results: those that hold for all, and those of each that do not. */
export interface ToldOnce {
  readonly shared: readonly string[];
  readonly own: readonly (readonly string[])[];
}

/** Tells apart what is said of all results from what is said of each. */
export function toldOnce(of: readonly (readonly string[])[]): ToldOnce {
  const [first = []] = of;
  const shared = first.filter((text) => of.every((texts) => texts.includes(text)));
  return { shared, own: of.map((texts) => texts.filter((text) => !shared.includes(text))) };
}
