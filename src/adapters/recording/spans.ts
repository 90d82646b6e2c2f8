import { isLentLane } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';

/** From the first quote of a lane in a recording to the last; times are all of one kind, which sorts as time goes. */
export interface RecordedSpan<Time extends Millis | string = Millis> {
  readonly run: string;
  readonly lane: string;
  readonly from: Time;
  readonly to: Time;
}

/** Quotes of a lane in a recording. */
export interface LaneSpan extends RecordedSpan {
  readonly product: string;
  readonly quotes: number;
}

/** True for quotes of one lane that are partly of the same time. */
export const overlaps = <Time extends Millis | string>(
  one: Omit<RecordedSpan<Time>, 'run'>,
  other: Omit<RecordedSpan<Time>, 'run'>,
): boolean => one.lane === other.lane && one.from <= other.to && one.to >= other.from;

/** Pairs of recordings that have quotes of one lane of the same time. Lanes that were acquired for one order are left out. */
export function overlapping<Of extends RecordedSpan<Millis | string>>(spans: readonly Of[]): readonly (readonly [Of, Of])[] {
  const standing = spans.filter(({ lane }) => !isLentLane(lane));
  return standing.flatMap((one, index) =>
    standing
      .slice(index + 1)
      .filter((other) => other.run !== one.run && overlaps(one, other))
      .map((other) => [one, other] as const),
  );
}
