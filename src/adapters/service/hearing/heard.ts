import { allReadings, DIALECT, type PointName, type ReadingName } from '#adapters/service/dialect/dialect.ts';
import type { Meeting } from '#adapters/service/dialect/point.ts';

/** How the service was heard to read one place that the specification leaves open, and what showed it. */
export interface Heard {
  readonly point: PointName;
  /** Null where it is none of those that the record knows. */
  readonly reading: ReadingName | null;
  readonly shown: string;
}

export const heard = (point: PointName, reading: ReadingName | null, shown: string): Heard => ({ point, reading, shown });

/** What was heard, with what it means for trading. */
export interface NamedHeard extends Heard {
  readonly spec: string;
  readonly open: string;
  readonly does: string;
  readonly client: Meeting;
  readonly set: Readonly<Record<string, string>>;
  /** Whether it differs from what the paper venue does. */
  readonly isUnusual: boolean;
}

/** Looks each up in the record; one that the record does not know may stop the client. */
export function namedOf(all: readonly Heard[]): readonly NamedHeard[] {
  const readings = new Map<string, ReturnType<typeof allReadings>[number]>(allReadings().map((one) => [one.name, one]));
  return all.map((one) => {
    const { spec, open } = DIALECT[one.point];
    const known = one.reading === null ? undefined : readings.get(one.reading);
    if (!known) return { ...one, spec, open, does: 'none of the readings that Kairos knows', client: 'stands', set: {}, isUnusual: true };
    return { ...one, spec, open, does: known.does, client: known.client, set: known.set, isUnusual: !known.own };
  });
}

/** Places of which nothing was heard. */
export function unheardOf(all: readonly Heard[]): readonly PointName[] {
  const told = new Set(all.map(({ point }) => point));
  return POINT_NAMES.filter((name) => !told.has(name));
}

const POINT_NAMES: readonly PointName[] = [...new Set(allReadings().map(({ point }) => point))];
