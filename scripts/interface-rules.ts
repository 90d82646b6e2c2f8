/**
 * What the interface specification says that can be tested, by id: `2.5.userId` is a field of a table in 2.5, `4.5.3` rule 3 of
 * section 4.5, `4.1.modify.2` a rule of a list inside 4.1, `5.1.s1` a rule of signatures, `3.feed.2` and `7.2` rows of a table.
 * A test holds the list against the specification where that is at hand.
 */
const each = (prefix: string, names: string): readonly string[] => names.split(' ').map((name) => `${prefix}.${name}`);
const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}.${index + 1}`);

export const RULES: readonly string[] = [
  ...numbered('1.flow', 4),
  ...each(
    '2.1',
    'strategyType productCode accountId aiModelVariant aiModelPositionMode executionType useInitialModelPrice initialBaseCurrencySize initialQuoteCurrencyAmount desiredNetProfitPercentage useSpikeProtection alwaysPassive ignoreWarnings autoRun',
  ),
  '2.2.strategyId',
  ...each('2.3', 'priceLimit ignoreWarnings'),
  ...each('2.4.schedule-opening-pause', 'fromTime toTime'),
  ...each('2.4.flush', 'longPositionTargetPercentage shortPositionTargetPercentage'),
  ...each(
    '2.5',
    'id createdAt userId name exchangeCode exchange description apiKey validatedAt spot futures isMain eventTime accountType whitelistedIps permissions',
  ),
  ...each('2.6', 'productCode minSize minNotionalValue sizeIncrement priceIncrement'),
  ...each('2.7', 'quoteType productCode inputSize inputValue'),
  ...each('2.8.ACK', 'msgType userId query'),
  ...each('2.8.ERR', 'msgType errorMsg'),
  ...each(
    '2.8.TQ',
    'msgType id productCode baseCcy quoteCcy buyQuote sellQuote avgQuote feePercentage spread spreadPercentage dailyChangePercentage validUntil',
  ),
  ...each('2.8.side', 'price size value feeInBaseCcy feeInQuoteCcy slippage slippagePercentage'),
  ...each('2.8', 'BQ FQ'),
  ...numbered('2.8', 3),
  '2.9.notificationType',
  ...each('2.9.DEPOSIT_CONFIRMED', 'svcUserId transferId source currency amount'),
  ...each('2.10', 'orderType quoteId side'),
  ...numbered('3.feed', 4),
  ...numbered('3.webhook', 3),
  ...each('4.1', 'stop start pause schedule-opening-pause flush resumeAll pauseAll create modify delete deleteAll'),
  ...numbered('4.1.modify', 3),
  ...['4.2', '4.3', '4.4'],
  ...['4.5.Path', '4.5.Query', '4.5.Authentication', '4.5.Client sends', '4.5.Server sends'],
  ...numbered('4.5', 4),
  ...numbered('5.1', 4),
  ...each('5.1.3', 'X-API-Key X-API-Timestamp X-API-Signature'),
  ...['s1', 's2', 's3', 's4', 's5'].map((rule) => `5.1.${rule}`),
  ...numbered('5.4', 4),
  ...numbered('7', 7),
  ...numbered('8', 8),
  ...numbered('9', 4),
];

export type Side = 'venue' | 'client';

/** Why there is nothing to test on one side. */
export const NOT_TESTED: Readonly<Record<Side, Readonly<Record<string, string>>>> = {
  venue: {
    '5.1.s5': 'the venue has no secret to keep: its own is public',
    '9.3': 'for those who read notifications',
  },
  client: {},
};
