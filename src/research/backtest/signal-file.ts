import { refusalText, SignalGate, type SourceBounds } from '#adapters/outside-signals/gate.ts';
import { unreadable } from '#adapters/recording/import/csv-head.ts';
import { RowsAtFault } from '#adapters/recording/import/rows-at-fault.ts';
import { rowsOf } from '#adapters/recording/import/rows-of.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime, type LaneId, type Millis } from '#domain/names.ts';
import { type PastSignal, type SignalSchema, signalSource, sourceName, timeIn } from '#domain/outside-signal.ts';
import { type Headline, headline } from '#report/headline.ts';

/** A file of signals, as live takes them. */
export interface SignalFile {
  readonly file: string;
  /** In order of arrival. */
  readonly signals: readonly PastSignal[];
  /** How many live would not take, by why. */
  readonly leftOut: ReadonlyMap<string, number>;
}

interface SignalTerms {
  /** By source, the fields that strategies want. */
  readonly schemas: ReadonlyMap<LaneId, readonly SignalSchema[]>;
  /** `signals.sources`. */
  readonly sources: readonly (Omit<SourceBounds, 'source' | 'schemas'> & { readonly name: string })[];
}

/**
 * Reads signals from outside, CSV or Parquet, and gives them by their arrival to the gate of their source, as live does. Column `at` is the
 * arrival; `source` may be left out where strategies have one source, `made` and `id` always; the others are fields. Throws
 * DATA_UNREADABLE naming the line or row at fault.
 */
export async function signalsIn(file: string, { schemas, sources }: SignalTerms): Promise<SignalFile> {
  const read = [...schemas.keys()];
  if (read.length === 0) throw new KairosError('USAGE', '--signals: no strategy has signal() as an input');
  const { counted, rows } = await rowsOf(file);
  if (rows.length === 0) throw unreadable(file, 'it has no signals');
  const faults = new RowsAtFault({ path: file, counted, bad: undefined });
  const [only] = read.length === 1 ? read : [];
  const arrivals = rows.map(({ place, cells: { at: arrival, source: name, made, ...fields } }) => {
    const source = typeof name === 'string' && name !== '' ? signalSource(name) : only;
    if (source === undefined) throw faults.fault(place, `source: is needed, one of ${read.map(sourceName).join(', ')}`);
    const at = timeIn(arrival);
    if (at === undefined) throw faults.fault(place, 'at: must be the time of arrival, such as 2026-01-05T09:00:00.250Z');
    return { place, at, source, fields: made === '' || made === null ? fields : { ...fields, made } };
  });
  const signals: PastSignal[] = [];
  const leftOut = new Map<string, number>();
  const leave = (why: string): unknown => leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  let now = 0;
  const keep = (source: LaneId) => async (signal: PastSignal['signal']) => signals.push({ at: now, source, signal }) > 0;
  const bounds = new Map(sources.map(({ name, ...one }) => [signalSource(name), one]));
  const gates = new Map(
    [...schemas].flatMap(([source, wanted]) => {
      const one = bounds.get(source);
      const options = { source, schemas: wanted, taken: [], now: () => now, keep: keep(source) };
      return one ? [[source, new SignalGate({ ...one, ...options })] as const] : [];
    }),
  );
  for (const { place, at, source, fields } of arrivals.sort((a, b) => a.at - b.at)) {
    const gate = gates.get(source);
    if (!gate) {
      const names = sources.map(({ name }) => name).join(', ') || 'none';
      const isNamed = bounds.has(source);
      leave(`of source ${sourceName(source)}, which ${isNamed ? 'no strategy reads' : `is not in signals.sources (${names})`}`);
      continue;
    }
    now = at;
    const answer = await gate.receive(Buffer.from(JSON.stringify(fields)));
    if (answer.taken) continue;
    if (answer.field !== undefined) throw faults.fault(place, `${answer.field}: ${answer.must}`);
    leave(`${answer.error} (${refusalText(answer, gate.bounds)})`);
  }
  return { file, signals, leftOut };
}

/** That some signals of a file are not played, and why: a note where no more is at fault than a time that somebody named. */
export function signalHeadlines(
  { file, signals, leftOut }: SignalFile,
  { from, to }: { readonly from: Millis; readonly to: Millis },
  named: { readonly from: Millis | undefined; readonly to: Millis | undefined },
): readonly Headline[] {
  const played = signals.filter(({ at }) => at >= from && at <= to).length;
  const outside = signals.length - played;
  const span = `outside of what is played (${isoTime(from)} to ${isoTime(to)})`;
  const why = [...leftOut, ...(outside === 0 ? [] : [[span, outside] as const])];
  if (why.length === 0) return [];
  const count = why.reduce((sum, [, times]) => sum + times, played);
  const isNamed = named.from !== undefined || named.to !== undefined;
  const text = `${played} of ${count} signals of ${file} are played: the others are ${why.map(([what, times]) => `${times} ${what}`).join(', ')}`;
  return [headline('NOTE', text, { level: isNamed && played > 0 && leftOut.size === 0 ? 'note' : 'warning' })];
}
