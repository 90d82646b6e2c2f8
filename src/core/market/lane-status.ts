import type { Lane, LaneChange } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';

export type LanePhase = 'new' | LaneChange['phase'];

/** Why no order may use a lane's latest quote. */
export type LaneFault = Extract<Reason, 'LANE_DISABLED' | 'LANE_QUARANTINED' | 'LANE_DOWN' | 'LANE_STALE' | 'QUOTE_WITHOUT_ID'>;

/** What is known of a lane: for the engine's checks, for `status` and for people. */
export interface LaneStatus {
  readonly lane: Lane;
  /** Where the connection stands; `new` until the feed says anything. */
  readonly phase: LanePhase;
  /** When the phase began, on the engine's clock; without a connection, when that was lost, or first tried, however often it was tried since. */
  readonly since: Millis | undefined;
  /** Why the phase is what it is, where it went wrong; while it is opened again, why it was last without; empty otherwise. */
  readonly why: string;
  /** Counts subscriptions; 0 before the first. */
  readonly epoch: number;
  /** The newest quote that passed the screen in the present subscription. */
  readonly latest: Quote | undefined;
  /** When `latest` arrived, on the engine's clock. */
  readonly receivedAt: Millis | undefined;
  /** When the last quote passed the screen, also in an earlier subscription. */
  readonly lastQuoteAt: Millis | undefined;
  /** True while three bad prices in a row have the lane set aside and ten good ones have not come yet. */
  readonly quarantined: boolean;
  /** True while it is subscribed and not set aside: its quotes count. */
  readonly isUp: boolean;
  readonly counters: LaneCounters;
}

/** How many quotes of a lane were accepted and refused since the run began. */
export interface LaneCounters {
  readonly accepted: number;
  /** Quotes that the screen refused, by reason; repeated ones are among them. */
  readonly refused: Readonly<Partial<Record<Reason, number>>>;
  /** Quotes delivered again under an id seen lately. */
  readonly repeated: number;
  /** Quotes whose `validUntil` was before that of the quote they replaced; the newest arrival is kept (F30). */
  readonly wentBack: number;
}

/** The reason by which most quotes were refused; those delivered twice are left out; undefined where none was. */
export function mostOf(refused: LaneCounters['refused']): readonly [Reason | undefined, number] {
  let most: readonly [Reason | undefined, number] = [undefined, 0];
  for (const [reason, count = 0] of Object.entries(refused) as [Reason, number][]) {
    if (reason !== 'QUOTE_REPEATED' && count > most[1]) most = [reason, count];
  }
  return most;
}
