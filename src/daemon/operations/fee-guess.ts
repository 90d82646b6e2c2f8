import { existsSync } from 'node:fs';
import { lastAnswer } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
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
  if (existsSync(journal.path) && isFeeTold(journal.path)) return null;
  return `the currency of fees is a guess: booked by the default service.feeIn (${service.feeIn}); \`kairos rehearse\` finds it, then set service.feeIn`;
}

function isFeeTold(path: string): boolean {
  const reader = JournalReader.open(path);
  try {
    return feeInAnswer(reader.named(lastAnswer) ?? '') !== undefined;
  } finally {
    reader.close();
  }
}
