/** What is mutated under one name, and the tests that must notice it. */
export interface Room {
  readonly mutate: readonly string[];
  /** Quick ones, near the code: each mutant meets those that come by there. */
  readonly tests: readonly string[];
  /** Mutants of what a module does as it is loaded do not meet these: all of them would have to be run. */
  readonly wider?: readonly string[];
}

const under = (folder: string, names: readonly string[]): readonly string[] => names.map((name) => `test/${folder}/${name}.test.ts`);
const scenarios = (...names: readonly string[]): readonly string[] => under('scenarios', names);

/** The rooms in which a mistake costs money: what they hold, and the tests that are run against each mutant of them. */
export const ROOMS: Readonly<Record<string, Room>> = {
  risk: {
    mutate: ['src/core/risk/*.ts'],
    tests: ['test/core/risk'],
    wider: scenarios(
      'risk',
      'risk-states',
      'halt',
      'clock',
      'day-profit',
      'laneless-loss',
      'service-wait',
      'financing',
      'restart',
      'notified',
    ),
  },
  execution: {
    mutate: ['src/core/execution/*.ts'],
    tests: ['test/core/execution', ...scenarios('exits', 'by-hand', 'working', 'invariants', 'one-commit')],
    wider: scenarios(
      'first-light',
      'faults-of-orders',
      'faults-of-requests',
      'reserve-lanes',
      'order-query',
      'restart',
      'strategy-states',
      'halt',
    ),
  },
  wire: {
    mutate: [
      'src/adapters/service/orders/{answer-*,canonical,figures-check,outcomes,refusal-words,retry-after,signature}.ts',
      'src/adapters/service/quotes/{decode-*,messages,subscription}.ts',
      'src/adapters/service/figures.ts',
    ],
    tests: [
      ...under('adapters/service/orders', [
        'answer-body',
        'answer-evidence',
        'answer-figures',
        'figures-check',
        'outcomes',
        'refusal-words',
      ]),
      ...under('adapters/service/orders', ['retry-after', 'signature']),
      ...under('adapters/service/quotes', ['decode', 'decode-edges', 'subscription']),
    ],
    wider: [
      ...under('adapters/service/orders', ['broker', 'broker-query']),
      ...under('adapters/service/quotes', ['quote-socket', 'lane-socket']),
      'test/adapters/service/dialect/dialect.test.ts',
    ],
  },
  domain: {
    mutate: ['src/domain/*.ts'],
    tests: [
      'test/domain',
      ...under('core/risk', ['risk', 'value-limits', 'order-counts', 'trading-state', 'loss-limits']),
      ...under('adapters/service/orders', ['outcomes', 'signature']),
      'test/adapters/service/quotes/decode.test.ts',
    ],
    wider: [
      ...['test/core/portfolio', 'test/core/market', 'test/core/execution'],
      ...under('core/risk', ['quiet-rows', 'openings']),
      ...under('core/strategy', ['engine-time', 'host', 'intents']),
      ...under('core/schedule', ['windows', 'missed']),
      ...under('core/engine', ['inbox', 'told']),
      ...under('adapters/journal', ['sqlite-journal', 'recovery', 'owed-orders']),
      ...scenarios('by-hand', 'exits', 'financing', 'restart', 'remote', 'schedule', 'working'),
    ],
  },
  clock: {
    mutate: ['src/adapters/service/clock/*.ts'],
    tests: ['test/adapters/service/clock', 'test/adapters/service/quotes/decode.test.ts'],
    wider: scenarios('clock'),
  },
  journal: {
    mutate: ['src/adapters/journal/*.ts'],
    tests: under('adapters/journal', [
      ...['backup', 'disk-reserve', 'fault', 'health', 'journal-state', 'lease-file', 'left-open', 'records'],
      ...['replay-rows', 'rotate', 'snapshots', 'writer'],
      ...['flows', 'log-sync', 'measured-orders', 'memory-journal', 'nothing-before', 'opening', 'owed-orders', 'recovery'],
      ...['sqlite-journal', 'verify'],
      ...['named-rows', 'past-risk', 'past-works', 'booked', 'trade-store', 'trade-queries', 'control-files'],
      ...['acts', 'decision-pages', 'run-rows', 'reader', 'played', 'dump', 'resolve', 'notifications', 'row-writer', 'files'],
      ...['balances', 'paging'],
    ]),
    wider: [...under('adapters/journal', ['commands']), ...scenarios('restart', 'settled-by-person')],
  },
};
