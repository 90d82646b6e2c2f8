/** Stryker's settings; `test/mutation/run.ts` says by the environment what is mutated. */
export default {
  testRunner: 'in-process',
  plugins: [new URL('../../test/mutation/in-process/runner.ts', import.meta.url).href],
  // What mutants of modules that were loaded anew have left in memory goes with the process.
  maxTestRunnerReuse: 500,
  coverageAnalysis: 'perTest',
  dryRunTimeoutMinutes: 30,
  ignoreStatic: process.env.MUTATED_RUNNING === 'true',
  mutate: JSON.parse(process.env.MUTATED_FILES ?? '[]'),
  // Codes are types, so that another one does not compile; what is left of texts are sentences, which no test should repeat.
  mutator: { excludedMutations: ['StringLiteral'] },
  // A mutant beside the sample of one run belongs to that of another.
  incremental: process.env.MUTATED_SHARE === '1',
  incrementalFile: `var/mutation/${process.env.MUTATED_NAME}-incremental.json`,
  ignorePatterns: ['/bench/results', '/var', '/biome.json'],
  reporters: ['json', 'progress'],
  jsonReporter: { fileName: `var/mutation/${process.env.MUTATED_NAME}.json` },
  tempDirName: 'var/stryker',
  // TypeScript 7 has not the programs that Stryker would rewrite these settings with; nothing here needs it to.
  tsconfigFile: 'test/mutation/no-tsconfig.json',
  concurrency: Number(process.env.MUTATED_AT_ONCE ?? 2),
  // A mutant meets no more tests than take two seconds of the processor: what has not come to an end by then, on a machine that is busy, never does.
  timeoutFactor: 0,
  timeoutMS: 30_000,
};
