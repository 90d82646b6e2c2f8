import type { LimitSetting } from '#domain/limits.ts';
import { clockText } from './times.ts';

type Words = Readonly<Partial<Record<LimitSetting, string>>>;

/** What counts towards a limit, in plain words. Limits of a single order have no gauge. */
const WORDS: Words = {
  'risk.maxPositionValue': 'Largest position in one product',
  'risk.maxStrategyValue': 'All positions of one strategy',
  'risk.maxTotalValue': 'All positions together',
  'risk.maxDayValue': 'Orders of today together',
  'risk.maxDayLoss': 'Loss of today',
  'risk.maxDrawdownPct': 'Account drawdown',
  'risk.maxOrdersPerMinute': 'Orders in the last minute',
  'risk.maxOrdersPerMinuteOfStrategy': 'Orders of one strategy in the last minute',
  'risk.maxOrdersPerMinuteOfProduct': 'Orders in one product in the last minute',
  'risk.maxThrottledPerMinute': 'Refusals of one strategy in the last minute',
  'risk.maxUnknown': 'Orders of unknown outcome',
  'risk.maxRejectionStreak': 'Orders rejected in a row',
  'risk.maxLossStreak': 'Losing closes of one strategy in a row',
  'risk.maxLossStreakOfAll': 'Losing closes of all in a row',
};

/** The limit of a loss that counts since a person armed or resumed. */
export const sinceWords = (name: LimitSetting, since: string, nowMs: number): string =>
  `${name === 'risk.maxDayLoss' ? 'Loss' : 'Drawdown'} since resume ${clockText(since, nowMs)}`;

/** The limit in plain words, or its setting if it has none. */
export const limitWords = (name: LimitSetting): string => WORDS[name] ?? name;
