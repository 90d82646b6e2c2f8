import type { StrategyStateName } from './strategy-state.ts';

/** What a state asks for: nothing, nothing but time, a look, somebody. */
export type StateTone = 'good' | 'even' | 'warn' | 'bad';

/** The tone of each state, in which page, fleet, feed and terminal colour it. What waits or is refused goes on by itself. */
export const STATE_TONES: Readonly<Record<string, StateTone>> = {
  RUNNING: 'good',
  // A pause is what a person wanted.
  WARMING_UP: 'even',
  OUTSIDE_WINDOW: 'even',
  PAUSED: 'even',
  REDUCING: 'warn',
  NO_TIME: 'warn',
  NO_QUOTES: 'warn',
  WAITING: 'warn',
  COOLING_DOWN: 'warn',
  REFUSED: 'warn',
  DISABLED: 'bad',
  HALTED: 'bad',
  DISARMED: 'bad',
  FROZEN: 'bad',
  NO_RATE: 'bad',
  NO_FUNDS: 'bad',
  NO_SIGNAL: 'bad',
} satisfies Readonly<Record<StrategyStateName, StateTone>>;

/** The tone of a state; one that this version does not know is worth a look. */
export const toneOfState = (name: string): StateTone => STATE_TONES[name] ?? 'warn';
