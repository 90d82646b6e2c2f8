import { allReadings, DIALECT, type PointName, type ReadingName } from '#adapters/service-client/dialect/dialect.ts';
import type { ReadingSupport } from '#adapters/service-client/dialect/point.ts';

/** The reading of one open point that was heard from the service, with its evidence. */
export interface ObservedReading {
  readonly point: PointName;
  /** Null if it is none of the known readings. */
  readonly reading: ReadingName | null;
  readonly shown: string;
}

export const heard = (point: PointName, reading: ReadingName | null, shown: string): ObservedReading => ({ point, reading, shown });

/** A heard reading with its consequence for trading. */
export interface NamedHeard extends ObservedReading {
  readonly spec: string;
  readonly open: string;
  readonly does: string;
  readonly client: ReadingSupport;
  readonly set: Readonly<Record<string, string>>;
  /** True if it differs from the paper venue's own. */
  readonly isUnusual: boolean;
}

/** Looks up each reading; an unknown one may stop the client. */
export function namedOf(all: readonly ObservedReading[]): readonly NamedHeard[] {
  const readings = new Map<string, ReturnType<typeof allReadings>[number]>(allReadings().map((one) => [one.name, one]));
  return all.map((one) => {
    const { spec, open } = DIALECT[one.point];
    const known = one.reading === null ? undefined : readings.get(one.reading);
    if (!known) return { ...one, spec, open, does: 'none of the readings that Kairos knows', client: 'stands', set: {}, isUnusual: true };
    return { ...one, spec, open, does: known.does, client: known.client, set: known.set, isUnusual: !known.own };
  });
}

/** Points of which nothing was heard. */
export function unheardOf(all: readonly ObservedReading[]): readonly PointName[] {
  const told = new Set(all.map(({ point }) => point));
  return POINT_NAMES.filter((name) => !told.has(name));
}

const POINT_NAMES: readonly PointName[] = [...new Set(allReadings().map(({ point }) => point))];
