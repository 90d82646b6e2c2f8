/**
 * What a line says beside its wording: the place before its second colon, values in quotes, braces, brackets and backticks, figures,
 * settings, options and its last word. Tests compare this, so that a better word breaks none of them; wording is pinned once.
 */
export function factsOf(line: string): { readonly place: string; readonly facts: readonly string[] } {
  const [file = '', key = '', ...rest] = line.split(/: (?=\S)/);
  const says = rest.length === 0 ? key : rest.join(': ');
  const place = rest.length === 0 ? file : `${file}: ${key}`;
  const facts =
    says.match(/"[^"]*"|`[^`]*`|\{[^}]*\}|\[[^\]]*\]|--[\w-]+|[A-Z][A-Z_]{2,}|\w*(?:\d|[a-z][A-Z]|\w\.\w)[\w.:%+-]*|[\w-]+$/g) ?? [];
  return { place, facts: facts.map((fact) => fact.replace(/[.,;:]+$/, '')) };
}
