import { byCurrency } from './entries.ts';
import { key } from './key.ts';
import { choice, either, isGroup, number, or, positiveDecimal, whole } from './kind.ts';
import { crashHalt, duration } from './trading-kinds.ts';

/** A number in `account.currency`, a group by currency, or off. Each currency is a limit of its own. */
const valueLimit = or('off', either(isGroup, byCurrency, positiveDecimal));
const limitFromText = { ...valueLimit, fromText: (given: string) => given };

const percent = or('off', number({ above: 0, max: 100 }));
const count = or('off', whole({ min: 1 }));
const value = 'a number in account.currency, a group by currency, or off';

/** What no order may break, whatever a strategy wants. */
export const RISK_KEYS = {
  maxOrderValue: key(limitFromText, { usd: 2000, eur: 2000, sek: 20_000 }, `largest order: ${value}`),
  maxPositionValue: key(
    limitFromText,
    { usd: 10_000, eur: 10_000, sek: 100_000 },
    `largest worst-case position in one product, all strategies together: ${value}`,
  ),
  maxExitValue: key(
    or('auto', limitFromText),
    'auto',
    `largest order that reduces a position and that no person needs to let go: ${value}, or auto: three times risk.maxPositionValue`,
  ),
  maxStrategyValue: key(
    limitFromText,
    { usd: 20_000, eur: 20_000, sek: 200_000 },
    `largest worst-case positions of one strategy together: ${value}`,
  ),
  maxTotalValue: key(limitFromText, { usd: 50_000, eur: 50_000, sek: 500_000 }, `largest worst-case positions of all together: ${value}`),
  maxDayValue: key(limitFromText, { usd: 100_000, eur: 100_000, sek: 1_000_000 }, `orders of one day (UTC) together: ${value}`, {
    onLoopback: { usd: 20_000_000, eur: 20_000_000, sek: 200_000_000 },
  }),
  maxDayLoss: key(
    limitFromText,
    { usd: 500, eur: 500, sek: 5000 },
    `loss since the day began (UTC), at executable prices, from which on only exits pass: ${value}`,
    { onLoopback: { usd: 5000, eur: 5000, sek: 50_000 } },
  ),
  maxDrawdownPct: key(
    percent,
    10,
    'account drawdown from which on only exits pass: the loss since the highest profit of all runs, in percent of the capital then; or off',
    {
      onLoopback: 50,
    },
  ),
  maxOrdersPerMinute: key(count, 30, 'orders in any minute, or off'),
  maxOrdersPerMinuteOfStrategy: key(count, 20, 'orders of one strategy in any minute, or off'),
  maxOrdersPerMinuteOfProduct: key(count, 30, 'orders in one product in any minute, or off'),
  maxThrottledPerMinute: key(
    count,
    1000,
    'refusals of one strategy in any minute, as too many orders or repeated ones, after which it is disabled; or off',
  ),
  maxSpreadPct: key(percent, 0.5, 'widest spread traded on, in percent of the mid, or off'),
  maxSlippagePct: key(percent, 0.5, 'largest slippage traded on, in percent, or off'),
  maxFeePct: key(percent, 1, 'largest fee traded on, in percent of the value, or off'),
  collarPct: key(percent, 3, "furthest that a price may be from the median of its lane's recent prices, in percent, or off"),
  reducing: {
    collarPct: key(percent, 15, 'the same for an order that reduces a position; or off'),
    orderSharePct: key(
      or('off', number({ above: 0, max: 90 })),
      20,
      'share of risk.maxOrdersPerMinute that openings leave to orders that reduce a position, in percent; or off',
    ),
  },
  minTimeLeftMs: key(
    or('off', whole({ min: 1, max: 600_000 })),
    250,
    'least time a quote must have left when an order is approved, in milliseconds; an opening also needs the round trip of answers (p99); or off',
  ),
  duplicateWindowMs: key(
    or('off', whole({ min: 1, max: 600_000 })),
    400,
    'an opening of the same strategy, product, side and size is not sent again within this many milliseconds, unless an exit came between; or off',
  ),
  maxUnknown: key(or('off', whole({ min: 1 })), 1, 'orders of unknown outcome; one more halts trading; or off'),
  maxRejectionStreak: key(count, 5, 'orders rejected in a row, from which on only exits pass, or off'),
  maxLossStreak: key(count, 5, 'closes in a row that lost, after which the strategy opens nothing for risk.lossCooldown; or off', {
    onLoopback: 20,
  }),
  maxLossStreakOfAll: key(count, 10, 'closes in a row that lost, of all strategies together, from which on only exits pass; or off', {
    onLoopback: 1000,
  }),
  lossCooldown: key(duration, '15m', 'how long openings wait after risk.maxLossStreak', { onLoopback: '1m' }),
};

/** What one strategy, and all together, may take of the machine. */
export const USE_KEYS = {
  maxStrategyMs: key(
    or('off', whole({ min: 10, max: 2_500 })),
    250,
    'how long one strategy may work at one event, in milliseconds; the third time over it within a minute is told, the fifth disables it; or off',
  ),
  maxMemoryMb: key(
    or('off', whole({ min: 128, max: 65_536 })),
    400,
    'heap and buffers of the process in MB, above which the strategy that added most is disabled; half as much again ends the process; or off',
  ),
};

/** How trading starts, and what changes its state by itself. */
export const ARMING_KEYS = {
  arm: key(
    choice(['auto', 'manual']),
    'manual',
    'manual: each new configuration trades once a person has armed it; auto: at once; in dry mode as on loopback',
    {
      onLoopback: 'auto',
      inDry: 'auto',
    },
  ),
  rearmAfter: key(or('never', duration), 'never', 'how long after a loss, rejections or a crash openings go on by themselves, or never'),
  crashHalt: key(or('off', crashHalt), '3 in 10m', 'crashes within a time, after which trading halts, or off; in dry mode as on loopback', {
    onLoopback: 'off',
    inDry: 'off',
  }),
};
