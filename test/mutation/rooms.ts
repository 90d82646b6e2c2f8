/** What is mutated under one name, and the tests that must notice it. */
export interface Room {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

/** The rooms in which a mistake costs money: what they hold, and the tests that are run against each mutant of them. */
export const ROOMS: Readonly<Record<string, Room>> = {
  domain: { mutate: ['src/domain/**/*.ts', '!src/domain/settings/**'], tests: ['test/domain', 'test/core/portfolio', 'test/core/risk'] },
  risk: { mutate: ['src/core/risk/**/*.ts'], tests: ['test/core/risk', 'test/scenarios'] },
  execution: { mutate: ['src/core/execution/**/*.ts'], tests: ['test/core/execution', 'test/core/engine', 'test/scenarios'] },
  clock: { mutate: ['src/adapters/service/clock/**/*.ts'], tests: ['test/adapters/service/clock', 'test/scenarios/clock.test.ts'] },
  journal: { mutate: ['src/adapters/journal/**/*.ts'], tests: ['test/adapters/journal'] },
  wire: {
    mutate: ['src/adapters/service/quotes/**/*.ts', 'src/adapters/service/orders/**/*.ts', 'src/adapters/service/*.ts'],
    tests: ['test/adapters/service', 'test/rim', 'test/conformance/client'],
  },
};
