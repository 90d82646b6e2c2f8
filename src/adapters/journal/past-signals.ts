import type Database from 'better-sqlite3';
import { LastSignals, type PastSignal, signalSource } from '#domain/outside-signal.ts';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';
import { type DecisionRecord, decisionsIn } from './records.ts';

/** Of each source. */
const NEWEST = 10_000;

const SOURCES = `
  WITH RECURSIVE sources(source) AS (
    SELECT min(detail ->> 'source') FROM decisions WHERE kind = 'signal'
    UNION ALL SELECT (SELECT min(detail ->> 'source') FROM decisions WHERE kind = 'signal' AND detail ->> 'source' > source)
      FROM sources WHERE source IS NOT NULL)
  SELECT source FROM sources WHERE source IS NOT NULL`;

/**
 * The rows of the newest signals of each source, in order: what the last was, and ids that may be repeated. However many another sends, a
 * source that is slow is among them. A rotation keeps them too.
 */
export function signalRows(database: Database.Database): readonly DecisionRecord[] {
  const sources = database.prepare<[], { readonly source: string }>(SOURCES).all();
  const newest = database.prepare<[string], DecisionRecord>(
    `SELECT * FROM decisions WHERE kind = 'signal' AND detail ->> 'source' = ? ORDER BY seq DESC LIMIT ${NEWEST}`,
  );
  return sources.flatMap(({ source }) => newest.all(source)).sort((a, b) => a.seq - b.seq);
}

/** The newest signals from outside, oldest first. Writes nothing. */
function newestSignals(database: Database.Database): readonly PastSignal[] {
  return decisionsIn(signalRows(database), 'signal').map(({ at, detail: { source, id, madeAt, value } }) => ({
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
