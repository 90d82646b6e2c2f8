import { byCurrency } from './settings/groups.ts';
import { type Extras, isKey, type Key, key } from './settings/key.ts';
import { either, isGroup, number, or, positiveDecimal, type SettingKind, whole } from './settings/kind.ts';
import { duration } from './settings/spans.ts';

/** A sentence on what a check found: its figure and the limit, both as text. */
type CheckSentence = (figure: string, limit: string) => string;

/** How a check is worded: one sentence, or one for a pass and one for a failure. */
export type CheckWords = CheckSentence | { readonly passed: CheckSentence; readonly failed: CheckSentence };

/** The meaning of a limit's reason code, and the wording of its check if the figures tell more. */
interface Refusal {
  readonly means: string;
  readonly words?: CheckWords;
}

/** A setting of `risk.*` with the reason codes of its refusals. */
interface Limit<T, Code extends string = string> extends Key<T> {
  readonly refuses: Readonly<Record<Code, Refusal>>;
  /** True if it limits every opening: without a rate into its currency no opening passes. */
  readonly ofOpenings: boolean;
  /** True if it limits how often orders come, whatever they cost. */
  readonly ofPace: boolean;
}

interface LimitExtras<Code extends string> extends Extras {
  readonly refuses?: Readonly<Record<Code, Refusal>>;
  readonly ofOpenings?: boolean;
  readonly ofPace?: boolean;
}

function limit<T, const Code extends string = never>(
  kind: SettingKind<T>,
  initial: unknown,
  doc: string,
  { refuses, ofOpenings = false, ofPace = false, ...extras }: LimitExtras<Code> = {},
): Limit<T, Code> {
  // A limit without a code of its own has no refusals.
  return { ...key(kind, initial, doc, extras), refuses: refuses ?? ({} as Readonly<Record<Code, Refusal>>), ofOpenings, ofPace };
}

/** A share in percent to four digits. */
const shortened = (figure: string): string => String(Number(Number(figure).toPrecision(4)));

/** The wording of a figure with an upper limit; `setting`: where that comes from. A refusal names it by its meaning. */
const most = (what: string, setting: string, unit = ''): Exclude<CheckWords, CheckSentence> => ({
  passed: (figure, cap) => `${what} ${unit === '' ? figure : shortened(figure)}${unit}, at most ${cap}${unit} (${setting})`,
  failed: (figure, cap) => `${what} ${figure}${unit}${unit === '' ? ',' : ''} over ${cap}${unit}`,
});

/** The figure counts the order itself. */
const pace = (of: string): CheckWords => ({
  passed: (figure, cap) => `order ${figure} of ${cap} a minute${of}`,
  failed: (_figure, cap) => `${cap} of ${cap} orders a minute${of} used`,
});

/** A number in `account.currency`, a group by currency, or off. Each currency has a limit of its own. */
const anyValue = or('off', either(isGroup, byCurrency, positiveDecimal));
const value = { ...anyValue, fromText: (given: string) => given };
const percent = or('off', number({ above: 0, max: 100 }));
const count = or('off', whole({ min: 1 }));
const millis = or('off', whole({ min: 1, max: 600_000 }));

/**
 * Every limit of `risk.*`, declared once: its setting and the reason codes of its refusals. Settings, their reference
 * and schema, `Limits`, reason codes and the words of checks follow from it. The check that reads a limit is in the
 * table of `core/risk/risk.ts`. Percentages are in percent, times in milliseconds.
 */
export const LIMITS = {
  maxOrderValue: limit(value, { usd: 2000, eur: 2000, sek: 20_000 }, 'largest order', {
    liveExample: '{usd: 500}',
    ofOpenings: true,
    refuses: { MAX_ORDER_VALUE: { means: 'the order is worth more than risk.maxOrderValue', words: most('worth', 'risk.maxOrderValue') } },
  }),
  maxPositionValue: limit(
    value,
    { usd: 10_000, eur: 10_000, sek: 100_000 },
    'largest worst-case position in one product, all strategies together',
    {
      liveExample: '{usd: 500}',
      ofOpenings: true,
      refuses: {
        MAX_POSITION_VALUE: {
          means: 'the position would be worth more than risk.maxPositionValue',
          words: most('the position worth', 'risk.maxPositionValue'),
        },
      },
    },
  ),
  maxExitValue: limit(or('auto', value), 'auto', 'largest exit that no person need allow, or auto: three times risk.maxPositionValue', {
    refuses: {
      MAX_EXIT_VALUE: {
        means: 'the exit is worth more than risk.maxExitValue: allow it with kairos close STRATEGY --up-to-value N',
        words: {
          ...most('worth', 'risk.maxExitValue: three times risk.maxPositionValue unless set; or what a person allowed'),
          failed: (worth, allowed) => `the exit is worth ${worth}, above the ${allowed} that is allowed`,
        },
      },
    },
  }),
  maxStrategyValue: limit(value, { usd: 20_000, eur: 20_000, sek: 200_000 }, 'largest worst-case positions of one strategy together', {
    ofOpenings: true,
    refuses: {
      MAX_STRATEGY_VALUE: {
        means: "the strategy's positions would be worth more than risk.maxStrategyValue",
        words: most("the strategy's positions worth", 'risk.maxStrategyValue'),
      },
    },
  }),
  maxTotalValue: limit(value, { usd: 50_000, eur: 50_000, sek: 500_000 }, 'largest worst-case positions of all together', {
    ofOpenings: true,
    refuses: {
      MAX_TOTAL_VALUE: {
        means: 'all positions together would be worth more than risk.maxTotalValue',
        words: most('all positions worth', 'risk.maxTotalValue'),
      },
    },
  }),
  maxDayValue: limit(value, { usd: 100_000, eur: 100_000, sek: 1_000_000 }, 'orders of one day (UTC) together', {
    onPaper: { usd: 20_000_000, eur: 20_000_000, sek: 200_000_000 },
    liveExample: '{usd: 500}',
    ofOpenings: true,
    refuses: {
      MAX_DAY_VALUE: {
        means: "the day's orders would be worth more than risk.maxDayValue",
        words: most("the day's orders worth", 'risk.maxDayValue'),
      },
    },
  }),
  maxDayLoss: limit(
    value,
    { usd: 500, eur: 500, sek: 5000 },
    'loss since the day began (UTC), at executable prices, from which on only exits pass',
    { onPaper: { usd: 5000, eur: 5000, sek: 50_000 }, liveExample: '{usd: 500}' },
  ),
  maxDrawdownPct: limit(
    percent,
    10,
    'account drawdown from which on only exits pass: the loss since the highest profit, in percent of budgets and that profit',
    { onPaper: 50, liveExample: '10' },
  ),
  maxOrdersPerMinute: limit(count, 30, 'orders in any minute', {
    ofPace: true,
    refuses: {
      MAX_ORDERS_PER_MINUTE: {
        means: 'risk.maxOrdersPerMinute is used up, but for the share of exits',
        words: pace(''),
      },
    },
  }),
  maxOrdersPerMinuteOfStrategy: limit(count, 20, 'orders of one strategy in any minute', {
    ofPace: true,
    refuses: {
      MAX_ORDERS_PER_MINUTE_OF_STRATEGY: { means: 'risk.maxOrdersPerMinuteOfStrategy is used up', words: pace(' of the strategy') },
    },
  }),
  maxOrdersPerMinuteOfProduct: limit(count, 30, 'orders in one product in any minute', {
    ofPace: true,
    refuses: {
      MAX_ORDERS_PER_MINUTE_OF_PRODUCT: { means: 'risk.maxOrdersPerMinuteOfProduct is used up', words: pace(' in the product') },
    },
  }),
  maxThrottledPerMinute: limit(count, 1000, 'throttled requests of one strategy in any minute, after which it is disabled', {
    ofPace: true,
  }),
  maxSpreadPct: limit(percent, 0.5, 'widest spread traded on, in percent of the mid', {
    refuses: { MAX_SPREAD: { means: 'the spread is wider than risk.maxSpreadPct', words: most('spread', 'risk.maxSpreadPct', ' %') } },
  }),
  maxSlippagePct: limit(percent, 0.5, 'largest slippage traded on, in percent', {
    refuses: {
      MAX_SLIPPAGE: { means: 'the slippage is more than risk.maxSlippagePct', words: most('slippage', 'risk.maxSlippagePct', ' %') },
    },
  }),
  maxFeePct: limit(percent, 1, 'largest fee traded on, in percent of the value', {
    refuses: { MAX_FEE: { means: 'the fee is more than risk.maxFeePct', words: most('fee', 'risk.maxFeePct', ' %') } },
  }),
  collarPct: limit(percent, 3, 'largest distance from the median of recent prices, in percent', {
    refuses: {
      COLLAR: {
        means: 'the price is further from the median of recent prices than risk.collarPct',
        words: {
          passed: (figure, cap) =>
            `price ${shortened(figure)} % from the median, at most ${cap} % (risk.collarPct, of an exit risk.reducing.collarPct)`,
          failed: (figure, cap) => `price ${figure} % from the median, over ${cap} %`,
        },
      },
    },
  }),
  reducing: {
    collarPct: limit(percent, 15, 'the same for an exit, and its largest fee'),
    orderSharePct: limit(or('off', number({ above: 0, max: 90 })), 20, 'share of risk.maxOrdersPerMinute reserved for exits, in percent'),
  },
  minTimeLeftMs: limit(
    millis,
    250,
    'time that a quote must still be valid when an order is approved; an opening also needs the round trip (p99)',
    {
      refuses: {
        TIME_LEFT: { means: 'the quote has too little time left', words: (left, least) => `${left} ms left, ${least} ms needed` },
      },
    },
  ),
  duplicateWindowMs: limit(millis, 400, 'time in which the same opening is not sent again, unless an exit came between', {
    ofPace: true,
    refuses: {
      DUPLICATE: {
        means: 'an opening of the same side and size was sent less than risk.duplicateWindowMs ago',
        words: (since, least) => `${since} ms after the same opening, ${least} ms needed`,
      },
    },
  }),
  maxUnknown: limit(count, 1, 'openings of unknown outcome; one more halts trading', {
    refuses: {
      UNKNOWN_BUDGET: {
        means: 'more openings have an unknown outcome than risk.maxUnknown',
        words: most('openings of unknown outcome:', 'risk.maxUnknown'),
      },
    },
  }),
  maxRejectionStreak: limit(count, 5, 'rejected orders in a row from which on only exits pass'),
  maxLossStreak: limit(count, 5, 'losing closes in a row after which the strategy waits for risk.lossCooldown', {
    onPaper: 20,
  }),
  maxLossStreakOfAll: limit(count, 10, 'losing closes in a row of all strategies from which on only exits pass', {
    onPaper: 1000,
  }),
  lossCooldown: limit(duration, '15m', 'how long openings wait after risk.maxLossStreak', {
    onPaper: '1m',
    refuses: {
      LOSS_COOLDOWN: {
        means: 'risk.maxLossStreak closes in a row lost, and risk.lossCooldown is not over',
        words: (figure) => `openings wait after closes in a row that lost: ${figure}`,
      },
    },
  }),
};

type Tree = typeof LIMITS;
/** A limit, or a group of them, as people name it: `risk.maxDayLoss`. */
export type LimitSetting = `risk.${string & keyof Tree}`;

type Codes<Branch> = { [Name in keyof Branch]: Branch[Name] extends Limit<unknown, infer Code> ? Code : never }[keyof Branch];

/** Reason codes of refusals by a limit. */
export type LimitReason = Codes<Tree> | Codes<Tree['reducing']>;

const REFUSALS = Object.entries(LIMITS)
  .flatMap(([name, node]): readonly (readonly [string, Limit<unknown>])[] =>
    isKey(node) ? [[name, node]] : Object.entries(node).map(([inner, one]) => [`${name}.${inner}`, one]),
  )
  .flatMap(([name, { refuses }]) =>
    Object.entries(refuses).map(([code, refusal]) => [code, { ...refusal, setting: `risk.${name}` }] as const),
  );

/** The meanings of the limits' reason codes. */
export const LIMIT_REASONS = Object.fromEntries(REFUSALS.map(([code, { means }]) => [code, means])) as Readonly<
  Record<LimitReason, string>
>;

/** The setting that refuses with each code. */
export const LIMIT_SETTINGS = Object.fromEntries(REFUSALS.map(([code, { setting }]) => [code, setting])) as Readonly<
  Record<LimitReason, string>
>;

/** True for a reason code that a limit refuses with. */
export const isLimitReason = (reason: string): reason is LimitReason => Object.hasOwn(LIMIT_REASONS, reason);

/** The wording of the limits' checks, by code. */
export const LIMIT_WORDS: Readonly<Record<string, CheckWords>> = Object.fromEntries(
  REFUSALS.flatMap(([code, { words }]) => (words === undefined ? [] : [[code, words]])),
);

/** A limit on value in a configuration: decimal text by currency, or off. */
export type ValueLimit = 'off' | { readonly byCurrency: Readonly<Record<string, string>> };

type Setting<T> = [T] extends [number | 'off'] ? T : ValueLimit;

/** The limits of `risk.*` in a configuration. Percentages in percent, times in milliseconds. */
export type RiskSettings = {
  readonly [Name in keyof Tree]: Tree[Name] extends Key<infer T>
    ? Setting<T>
    : { readonly [Inner in keyof Tree[Name]]: Tree[Name][Inner] extends Key<infer T> ? Setting<T> : never };
};
