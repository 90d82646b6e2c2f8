import { RowsAtFault } from '#adapters/recording/import/rows-at-fault.ts';
import { rowsOf } from '#adapters/recording/import/rows-of.ts';
import { KairosError } from '#domain/errors.ts';
import type { LaneId } from '#domain/names.ts';
import { type PastSignal, readFields, type SignalSchema, signalSource, sourceName, timeIn } from '#domain/outside-signal.ts';

/**
 * Reads signals from outside, CSV or Parquet, by their arrival. Column `at` is the arrival; `source` may be left out where strategies have
 * one source, `made` and `id` always; the others are fields. Throws DATA_UNREADABLE naming the line or row at fault.
 */
export async function signalsIn(file: string, schemas: ReadonlyMap<LaneId, readonly SignalSchema[]>): Promise<readonly PastSignal[]> {
  const sources = [...schemas.keys()];
  if (sources.length === 0) throw new KairosError('USAGE', '--signals: no strategy has signal() as an input');
  const { counted, rows } = await rowsOf(file);
  const faults = new RowsAtFault({ path: file, counted, bad: undefined });
  const signals = rows.flatMap(({ place, cells }, index): PastSignal[] => {
    const fault = (what: string): KairosError => faults.fault(place, what);
    const [only] = sources.length === 1 ? sources : [];
    const source = typeof cells.source === 'string' && cells.source !== '' ? signalSource(cells.source) : only;
    if (source === undefined) throw fault(`source: is needed, one of ${sources.map(sourceName).join(', ')}`);
    const wanted = schemas.get(source);
    if (!wanted) return [];
    const at = timeIn(cells.at);
    if (at === undefined) throw fault('at: must be the time of arrival, such as 2026-01-05T09:00:00.250Z');
    const read = readFields(wanted, cells);
    if ('field' in read) throw fault(`${read.field}: ${read.must}`);
    const id = typeof cells.id === 'string' && cells.id !== '' ? cells.id : `row-${index + 1}`;
    return [{ at, source, signal: { id, madeAt: timeIn(cells.made) ?? null, value: read.value } }];
  });
  return signals.sort((a, b) => a.at - b.at);
}
