import type { DecisionView } from '#server/page/past-view.ts';

/** Codes that add nothing to the words. */
const PLAIN: ReadonlySet<string | null> = new Set(['HTTP_OK', 'HOLD', 'BY_PERSON', null]);

/** A decision for people: its meaning, and its figures with their code. */
export interface Telling {
  readonly says: string;
  readonly figures: string | null;
}

/** The meaning of the code, if it has one, comes first. */
export function describeDecision({ reason, meaning, words }: Pick<DecisionView, 'reason' | 'meaning' | 'words'>): Telling {
  if (PLAIN.has(reason)) return { says: words, figures: null };
  // Words that end with the meaning do not repeat it.
  const rest = meaning !== null && words.endsWith(` | ${meaning}`) ? words.slice(0, -` | ${meaning}`.length) : words;
  return { says: meaning ?? words, figures: `${reason}: ${rest}` };
}
