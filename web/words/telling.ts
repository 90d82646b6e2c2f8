import type { DecisionView } from '#server/page/past-view.ts';

/** Codes that say no more than the words do. */
const PLAIN: ReadonlySet<string | null> = new Set(['HTTP_OK', 'HOLD', 'BY_PERSON', null]);

/** A decision for people: what it means, and the figures behind it with their code. */
export interface Telling {
  readonly says: string;
  readonly figures: string | null;
}

/** A decision whose code has a meaning is told by it first. */
export function describeDecision({ reason, meaning, words }: Pick<DecisionView, 'reason' | 'meaning' | 'words'>): Telling {
  if (PLAIN.has(reason)) return { says: words, figures: null };
  // What the words end with is not said twice.
  const rest = meaning !== null && words.endsWith(` | ${meaning}`) ? words.slice(0, -` | ${meaning}`.length) : words;
  return { says: meaning ?? words, figures: `${reason}: ${rest}` };
}
