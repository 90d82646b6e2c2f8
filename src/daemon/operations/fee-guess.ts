import { answerOf } from '#adapters/journal/acts.ts';
import { lastAnswer } from '#adapters/journal/named-rows.ts';
import type { LoadedConfig } from '#config/load.ts';
import { modeFacts } from '#domain/mode.ts';
import { feeInAnswer } from './rehearsal.ts';

/**
 * That real money is traded on a guess of the currency of fees; null where a person gave `service.feeIn`, the service tells balances, so
 * that the first orders settle it, or the answer to the last executed order told it.
 */
export function feeGuess({ settings, mode, origins }: Pick<LoadedConfig, 'settings' | 'mode' | 'origins'>): string | null {
  const { service, journal } = settings;
  if (!modeFacts(mode).isRealMoney || service.capabilities.includes('balances')) return null;
  if (origins().some(({ key, origin }) => key === 'service.feeIn' && origin !== 'default')) return null;
  if (isFeeTold(journal.path)) return null;
  return `the currency of fees is a guess: booked by the default service.feeIn (${service.feeIn}); \`kairos rehearse\` finds it, then set service.feeIn`;
}

function isFeeTold(path: string): boolean {
  const answer = answerOf(path, (reader) => reader.named(lastAnswer));
  return feeInAnswer(answer ?? '') !== undefined;
}
