import type { NumberedEvent } from '#domain/event.ts';
import { figureAt } from '#domain/figure-at.ts';
import { eventOf, eventText } from './log-format.ts';
import { type ColumnData, parquetOf } from './parquet-columns.ts';
import { ParquetFile } from './parquet-file.ts';

/** An event that is no quote, and its place in the recording. */
export interface PlacedEvent {
  readonly line: number;
  readonly event: NumberedEvent;
}

/** Events of a run as a Parquet file: place, number, time, kind, and the event itself as JSON. */
export function eventFile(events: readonly PlacedEvent[]): Uint8Array {
  const numbers = (of: (event: PlacedEvent) => number): Float64Array => Float64Array.from(events, of);
  const columns: readonly ColumnData[] = [
    { name: 'line', kind: 'whole', values: numbers(({ line }) => line) },
    { name: 'n', kind: 'whole', values: numbers(({ event }) => event.n) },
    { name: 'handled_at', kind: 'time', values: numbers(({ event }) => event.at) },
    { name: 'kind', kind: 'text', values: events.map(({ event }) => event.event.kind) },
    { name: 'event', kind: 'text', values: events.map(({ event }) => eventText(event.event)) },
  ];
  return parquetOf(events.length, columns, {});
}

/** Reads a file of `rows` events of `eventFile` back. Throws where it is none. */
export function eventsIn(bytes: Uint8Array<ArrayBuffer>, rows: number): readonly PlacedEvent[] {
  const file = new ParquetFile(bytes, rows);
  const column = (name: string): Float64Array => {
    const values = new Float64Array(file.rows);
    file.numbers(name, values);
    return values;
  };
  const [line, n, at] = [column('line'), column('n'), column('handled_at')];
  return file.texts('event').map((text, row) => ({
    line: figureAt(line, row),
    event: { n: figureAt(n, row), at: figureAt(at, row), event: eventOf(text ?? '') },
  }));
}
