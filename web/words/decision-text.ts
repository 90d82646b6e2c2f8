import type { FillText } from '#domain/order.ts';
import type { DecisionView } from '#server/page/past-view.ts';
import { amount, exact } from './numbers.ts';
import { said } from './said.ts';

/** Codes that add nothing to the words: those of an error name its file and line. */
const PLAIN: ReadonlySet<string | null> = new Set(['HTTP_OK', 'HOLD', 'BY_PERSON', 'STRATEGY_THREW', null]);

/** A decision for people: its meaning, its figures, and the code of its reason where that adds something. */
export interface DecisionText {
  readonly says: string;
  readonly figures: string | null;
  readonly code: string | null;
}

/** What a refusal found comes first, and of any other code its meaning. */
export function describeDecision({
  kind,
  reason,
  meaning,
  words: all,
  fill,
  at,
}: Pick<DecisionView, 'kind' | 'reason' | 'meaning' | 'words' | 'fill' | 'at'>): DecisionText {
  // How often a row was repeated is counted apart.
  const told = all.replace(/ \| \d+ times$/, '');
  // A hold begins with the strategy's own words.
  const own = reason === 'HOLD' ? (told.split(' | ')[0] ?? '') : '';
  const words = `${own}${said(told.slice(own.length), Date.parse(at))}`;
  if (fill !== null) return { says: fillText(fill), figures: words.split(' | ').slice(1).join(' | ') || null, code: null };
  if (PLAIN.has(reason) || kind === 'blocked') return { says: words, figures: null, code: null };
  const parts = words.split(' | ');
  if (kind === 'refused' && parts.length > 1) return { says: parts.at(-1) ?? words, figures: parts.slice(0, -1).join(' | '), code: reason };
  // Words that end with the meaning do not repeat it.
  const rest = meaning !== null && words.endsWith(` | ${meaning}`) ? words.slice(0, -` | ${meaning}`.length) : words;
  return { says: meaning ?? words, figures: rest, code: reason };
}

/** What was executed, amounts of money to the cent. */
export const fillText = (fill: FillText): string =>
  `${tradeText(fill)} for ${amount(fill.value, fill.quoteCcy)}, fee ${amount(fill.fee, fill.feeCcy)}`;

/** The same where there is no room for more than its price. */
export const tradeText = ({ side, size, price }: FillText): string =>
  `${side === 'buy' ? 'bought' : 'sold'} ${exact(size)} at ${exact(price)}`;
