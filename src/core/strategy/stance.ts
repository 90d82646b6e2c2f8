import type { Intent } from '#domain/intent.ts';
import type { View } from './contract.ts';
import { buy, type IntentOptions, sell } from './intents.ts';

/** What a strategy wants to hold: one amount bought, nothing, or one amount sold short. */
export type Stance = 'long' | 'flat' | 'short';

/**
 * One step from what is held towards a stance: out of the wrong side, or from flat into the right one with the configured
 * amount; nothing once it is there. Short is flat where the account may not be short. Ask again at the next quote: a turn
 * from long to short is two orders.
 */
export function towards(
  stance: Stance,
  { position, amount, canShort }: Pick<View<unknown>, 'position' | 'amount' | 'canShort'>,
  why: { readonly reason: string } & IntentOptions,
): Intent | undefined {
  const held: Stance = position.isLong ? 'long' : position.isShort ? 'short' : 'flat';
  if (held === stance || (held === 'flat' && stance === 'short' && !canShort)) return undefined;
  const { reason, ...options } = why;
  if (held === 'long') return sell('position', reason, options);
  if (held === 'short') return buy('position', reason, options);
  return stance === 'long' ? buy(amount, reason, options) : sell(amount, reason, options);
}
