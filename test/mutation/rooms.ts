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
    tests: ['test/core/risk'],
    wider: ['test/scenarios/risk.test.ts', 'test/scenarios/risk-states.test.ts', 'test/scenarios/service-wait.test.ts'],
  },
  execution: {
    mutate: ['src/core/execution/*.ts'],
    tests: ['test/core/execution'],
    wider: ['test/scenarios/exits.test.ts', 'test/scenarios/by-hand.test.ts', 'test/scenarios/working.test.ts'],
  },
  wire: {
    mutate: ['src/adapters/service/orders/*.ts', 'src/adapters/service/quotes/*.ts', 'src/adapters/service/*.ts'],
    tests: ['test/adapters/service/orders', 'test/adapters/service/quotes'],
    wider: ['test/rim', 'test/adapters/service/dialect'],
  },
  domain: { mutate: ['src/domain/*.ts'], tests: ['test/domain'], wider: ['test/core/portfolio', 'test/core/risk'] },
  clock: {
    mutate: ['src/adapters/service/clock/*.ts'],
    tests: ['test/adapters/service/clock'],
    wider: ['test/scenarios/clock.test.ts'],
  },
  journal: { mutate: ['src/adapters/journal/*.ts'], tests: ['test/adapters/journal'] },
};
