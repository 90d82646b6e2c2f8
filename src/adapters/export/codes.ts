import { DECISION_KINDS } from '#domain/decision-kinds.ts';
import type { OrderState } from '#domain/order.ts';
import { REASONS } from '#domain/reasons.ts';

/** What rows of the table `about` say. Those of a sweep are `log`, `vary`, `data` and `config`, besides the first two. */
const ABOUT = {
  bundle: 'version of this schema',
  kairos: 'version of Kairos that wrote it',
  run: "the run's id",
  mode: '`paper`, `dry`, `live` or `backtest`',
  started_at: 'when the run began, UTC',
  ended_at: 'when the run ended, UTC; empty while it goes on, and after a crash',
  currency: 'currency of profit and equity',
  config: 'all settings as JSON, secrets replaced by a mark',
  config_hash: 'SHA-256 of the settings without `log`',
  missing_quotes: 'why `quotes` is empty or has others than were played',
  missing_signals: 'why `signals` is empty',
  missing_equity: 'why `equity` is empty: which currency has no rate, or what else it lacks',
  log: "file of the sweep's trials",
  vary: 'what was varied, as it was typed',
  data: 'quotes that were played',
} as const;

export type AboutName = keyof typeof ABOUT;

const ORDER_STATES: Readonly<Record<OrderState, string>> = {
  intent: 'permitted, and not yet sent',
  sent: 'its first byte left; the answer is awaited',
  accepted: 'executed',
  rejected: 'the service refused it',
  unknown: 'no answer, or one that cannot be read: it may be executed',
  expired: 'too late for the wire: nothing was sent',
  not_sent: 'stopped before a byte left',
};

/** What each code of a bundle means, by the column that has it. */
export const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'about.name': ABOUT,
  'decisions.kind': DECISION_KINDS,
  'orders.state': ORDER_STATES,
  reason: REASONS,
};
