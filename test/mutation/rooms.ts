/** What is mutated under one name, and the tests that must notice it. */
export interface Room {
  readonly mutate: readonly string[];
  /** Quick ones, near the code: each mutant meets them. */
  readonly tests: readonly string[];
  /** What lives on meets these as well. */
  readonly wider?: readonly string[];
}

/** The rooms in which a mistake costs money: what they hold, and the tests that are run against each mutant of them. */
export const ROOMS: Readonly<Record<string, Room>> = {
  risk: {
    mutate: ['src/core/risk/*.ts'],
    tests: [
      ...['clock-state', 'collar', 'exit-bounds', 'last-gate', 'limits', 'loss-limits', 'order-counts', 'risk', 'round-trips'],
      ...['measured-rows', 'quiet-rows', 'risk-monitor', 'trading-state', 'value-limits', 'waits'],
    ].map((name) => `test/core/risk/${name}.test.ts`),
    wider: ['test/scenarios/risk.test.ts'],
  },
  execution: {
    mutate: ['src/core/execution/*.ts'],
    tests: ['test/core/execution'],
    wider: ['test/scenarios/exits.test.ts', 'test/scenarios/by-hand.test.ts', 'test/scenarios/working.test.ts'],
  },
  wire: {
    mutate: [
      'src/adapters/service/orders/{answer-*,canonical,figures-check,outcomes,refusal-words,retry-after,signature}.ts',
      'src/adapters/service/quotes/{book-levels,decode-*,messages,subscription}.ts',
      'src/adapters/service/figures.ts',
    ],
    tests: ['outcomes', 'retry-after', 'signature']
      .map((name) => `test/adapters/service/orders/${name}.test.ts`)
      .concat(['test/adapters/service/quotes/decode.test.ts']),
    wider: ['test/adapters/service/orders/broker.test.ts', 'test/rim/quotes.test.ts', 'test/rim/case.test.ts'],
  },
  domain: { mutate: ['src/domain/*.ts'], tests: ['test/domain'], wider: ['test/core/portfolio', 'test/core/risk'] },
  clock: {
    mutate: ['src/adapters/service/clock/*.ts'],
    tests: ['test/adapters/service/clock'],
    wider: ['test/scenarios/clock.test.ts'],
  },
  journal: { mutate: ['src/adapters/journal/*.ts'], tests: ['test/adapters/journal'] },
};
