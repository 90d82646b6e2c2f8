import type { LaneStatus } from '#core/market/lane-status.ts';
import type { ClockReason } from '#core/risk/clock-state.ts';
import type { StrategyState } from '#domain/strategy-state.ts';

/** Mends of states that a connection or prices have brought about. */
export const CONNECTION = 'check the connection to the service: kairos doctor';
export const QUARANTINE_MEND = 'ten good prices in a row end it; kairos quotes shows what comes';

/** What ends a doubt about the time. */
export const TIME_MENDS: Readonly<Record<ClockReason, string>> = {
  CLOCK_STEP: 'it ends by itself; let NTP keep the time of this machine',
  CLOCK_UNSURE: 'kairos doctor looks at the clocks; if answers have no Date header, set clock.source: system',
  CLOCK_OLD: 'kairos doctor looks at the clocks and at the connection',
  LAG: 'give the process more CPU time, or fewer lanes',
};

/** What ends a state where quotes come from recorded data: there is no service to look at. */
export function mendInData({ state, reason, mend }: StrategyState): string {
  if (state !== 'NO_QUOTES' && state !== 'NO_TIME') return mend;
  return reason === 'LANE_STALE' ? 'the data has no quotes then, as over a weekend: kairos data gaps lists such times' : '';
}

/** What a lane is, as a word. */
export const PHASES: Readonly<Record<LaneStatus['phase'], string>> = {
  new: 'not opened yet',
  opening: 'being opened',
  acked: 'open',
  lost: 'lost',
  refused: 'refused',
  disabled: 'disabled',
};
