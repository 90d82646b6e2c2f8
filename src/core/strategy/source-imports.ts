import type { BlankedSource } from './source-text.ts';

/** One import of a module, as far as it is checked. */
export interface SourceImport {
  /** What is imported from. */
  readonly from: string;
  readonly position: number;
  readonly kind: 'static' | 'type' | 'dynamic' | 'require';
  /** Names as the other module exports them; `*` and `default` among them. */
  readonly names: readonly string[];
  /** The name that stands for the whole module here, for `* as x` and default imports. */
  readonly whole: string | undefined;
}

/** Enough of what stands before a text to see an import's clause. */
const LOOK_BACK = 4_000;

/** The imports and re-exports of a source, in order. */
export function importsOf({ code, texts }: BlankedSource): readonly SourceImport[] {
  const imports: SourceImport[] = [];
  for (const { start, text } of texts) {
    const before = code.slice(Math.max(0, start - LOOK_BACK), start);
    const clause = /(?<![.\w$])(?:import|export)\b(\s*type\b(?!\s*(?:,|from\b)))?([^;'"`()=]*?)\bfrom\s*$/.exec(before);
    const position = start;
    if (clause) {
      const inside = clause[2] ?? '';
      const kind = clause[1] ? 'type' : 'static';
      imports.push({ from: text, position, kind, names: namesIn(inside), whole: wholeIn(inside) });
    } else if (/(?<![.\w$])import\s*$/.test(before)) imports.push({ from: text, position, kind: 'static', names: [], whole: undefined });
    else if (/(?<![.\w$])import\s*\(\s*$/.test(before))
      imports.push({ from: text, position, kind: 'dynamic', names: [], whole: undefined });
    else if (/(?<![.\w$])require\s*\(\s*$/.test(before))
      imports.push({ from: text, position, kind: 'require', names: [], whole: undefined });
  }
  return imports;
}

function namesIn(clause: string): readonly string[] {
  const braces = /\{([^}]*)\}/.exec(clause);
  const names: string[] = [];
  for (const part of braces?.[1]?.split(',') ?? []) {
    const [first = '', ...rest] = part.trim().split(/\s+/);
    if (first === '' || (first === 'type' && rest.length > 0 && rest[0] !== 'as')) continue;
    names.push(first);
  }
  return names;
}

function wholeIn(clause: string): string | undefined {
  return /\*\s*as\s+([\w$]+)/.exec(clause)?.[1] ?? /^\s*([\w$]+)/.exec(clause)?.[1];
}
