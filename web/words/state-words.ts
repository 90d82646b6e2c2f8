import type { StrategyStateName } from '#domain/strategy-state.ts';
import type { StrategyView } from '#server/page/view.ts';
import { said } from './said.ts';
import { awayText } from './times.ts';
import type { StateTone } from './tone.ts';

/** The colour of each state by what it asks for: `bad` somebody, `warn` a look, `even` nothing but time. */
const TONES: Readonly<Record<StrategyStateName, StateTone>> = {
  RUNNING: 'good',
  WARMING_UP: 'even',
  OUTSIDE_WINDOW: 'even',
  COOLING_DOWN: 'warn',
  PAUSED: 'warn',
  REDUCING: 'warn',
  NO_TIME: 'warn',
  NO_QUOTES: 'warn',
  WAITING: 'warn',
  DISABLED: 'bad',
  HALTED: 'bad',
  DISARMED: 'bad',
  FROZEN: 'bad',
  NO_RATE: 'bad',
  NO_FUNDS: 'bad',
  REFUSED: 'bad',
  NO_SIGNAL: 'bad',
};

/** The colour of a state; one that this version does not know may ask for somebody. */
export const toneOfState = (name: string): StateTone => (name in TONES ? TONES[name as StrategyStateName] : 'warn');

/** Why a strategy does not trade, and how much longer, in a phrase; null while it trades. */
export function blockPhrase({ name, why, until }: Pick<StrategyView['state'], 'name' | 'why' | 'until'>, nowMs: number): string | null {
  if (name === 'RUNNING') return null;
  return `${said(why, nowMs)}${until === null ? '' : `, ends ${awayText(until, nowMs)}`}`;
}
