import type { Settings } from '#config/settings.ts';
import { type Limits, UNLIMITED, withoutPace } from '#core/risk/limits.ts';
import { type Headline, headline } from '#report/headline.ts';

type LimitsChoice = Settings['backtest']['limits'];

/** The limits that hold in a backtest. */
export const limitsHeld = (limits: Limits, held: LimitsChoice): Limits =>
  held === 'off' ? UNLIMITED : held === 'risk' ? withoutPace(limits) : limits;

/** Which limits did not hold, where some did not. */
export const LIMITS_SAID: Readonly<Record<LimitsChoice, readonly Headline[]>> = {
  auto: [],
  live: [],
  risk: [headline('LIMITS', 'limits on how often orders come were off: --limits live holds them, off holds none', { level: 'note' })],
  off: [headline('LIMITS', 'NO LIMITS: budgets and the limits of risk.* were off, so orders that a run refuses are in these figures')],
};
