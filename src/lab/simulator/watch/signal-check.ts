import { takenSignals } from '#adapters/journal/past-signals.ts';
import type { SentSignals } from '#lab/simulator/service/sender.ts';
import type { Violate } from './finding.ts';

/** Holds the journal against what a source of signals sent: each once at most, each that was answered, none that is false. */
export function checkSignals(journal: string, sent: SentSignals, violate: Violate): void {
  const ids = takenSignals(journal).map(({ signal: { id } }) => id);
  const known = new Set(ids);
  if (known.size < ids.length) violate('signals', 'a signal is in the journal twice');
  for (const id of sent.taken) if (!known.has(id)) violate('signals', `${id} was answered 2xx, and the journal does not have it`);
  for (const id of sent.false) if (known.has(id)) violate('signals', `${id} is false, and the journal has it`);
}
