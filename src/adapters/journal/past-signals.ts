import type Database from 'better-sqlite3';
import { LastSignals, type PastSignal, signalSource } from '#domain/outside-signal.ts';
import type { DecisionRecord } from './chain.ts';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';
import { decisionsIn } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** The newest signals, read for what the last of each source was, and for ids that may be repeated. A rotation keeps them too. */
export const NEWEST_SIGNALS = `SELECT seq FROM decisions WHERE kind = 'signal' AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 10000`;

/** The newest signals from outside, oldest first. Writes nothing. */
function newestSignals(database: Database.Database): readonly PastSignal[] {
  const rows = database.prepare<[], DecisionRecord>(`SELECT * FROM decisions WHERE seq IN (${NEWEST_SIGNALS}) ORDER BY seq`).all();
  return decisionsIn(rows, 'signal').map(({ at, detail: { source, id, madeAt, value } }) => ({
    at,
    source: signalSource(source),
    signal: { id, madeAt: madeAt === null ? null : Date.parse(madeAt), value },
  }));
}

/** The newest signals in the journal at a path, oldest first. Throws as every reading of a journal does. */
export function takenSignals(path: string): readonly PastSignal[] {
  const database = openForReading(journalFiles(path));
  try {
    return newestSignals(database);
  } finally {
    database.close();
  }
}

/** The last signal of each source. */
export function lastSignals(database: Database.Database): readonly PastSignal[] {
  const last = new LastSignals();
  for (const past of newestSignals(database)) last.apply(past);
  return last.all();
}
