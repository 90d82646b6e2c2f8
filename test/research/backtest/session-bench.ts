import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoadedConfig } from '#config/load.ts';
import type { Decision, DecisionKind, DecisionOf } from '#domain/decision.ts';
import type { BacktestRun } from '#research/backtest/backtest.ts';
import { type OpenOptions, openSession } from '#research/backtest/open-session.ts';
import { saveRun } from '#research/backtest/save-run.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { configOf, folder } from '../../config/support.ts';
import { dumpJournal } from '../../support/journal-dump.ts';
import { ROOT } from '../../support/root.ts';
import { type SyntheticOptions, syntheticRecording } from '../../support/synthetic-recording.ts';

/** Trades at each quote it may: buys when flat, sells when long. */
export const EAGER = `import { buy, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
});
`;

export const OFF = `risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, duplicateWindowMs: off, maxLossStreak: off }
`;

export interface Bench {
  readonly cwd: string;
  readonly dir: string;
  readonly config: LoadedConfig;
  open(options?: Partial<OpenOptions>): Promise<BacktestSession>;
}

/** A folder with strategies, settings and one synthetic recording. */
export function bench(yaml: string, recording: Partial<SyntheticOptions> = {}, modules: Readonly<Record<string, string>> = {}): Bench {
  const cwd = folder();
  const dir = path.join(cwd, 'recordings');
  mkdirSync(path.join(cwd, 'strategies'));
  for (const [name, text] of Object.entries({ eager: EAGER, ...modules })) writeFileSync(path.join(cwd, 'strategies', `${name}.ts`), text);
  syntheticRecording({ dir, lanes: ['btcusd 0.01'], seconds: 120, ...recording });
  const config = configOf(`${yaml}recording: { dir: recordings }\njournal: { path: kairos.db }\n`, { cwd });
  return {
    cwd,
    dir,
    config,
    open: (options = {}) => sessionOf(config, cwd, options),
  };
}

/** A backtest of all that was recorded, with the strategies of a folder and those that come with Kairos. */
export function sessionOf(config: LoadedConfig, cwd: string, options: Partial<OpenOptions> = {}): Promise<BacktestSession> {
  return openSession({
    config,
    folders: { cwd, packaged: path.join(ROOT, 'strategies') },
    data: undefined,
    from: undefined,
    to: undefined,
    against: undefined,
    outcomesOf: undefined,
    notice: () => {},
    ...options,
  });
}

export function ofKind<Kind extends DecisionKind>({ decisions }: Pick<BacktestRun, 'decisions'>, kind: Kind): readonly DecisionOf<Kind>[] {
  return decisions.filter((one: Decision): one is Extract<Decision, { kind: Kind }> & DecisionOf<Kind> => one.kind === kind);
}

/** The canonical dump of a run, by way of a journal in a file. */
export function dumpOf({ config }: Pick<BacktestSession, 'config'>, run: BacktestRun, file: string): readonly string[] {
  saveRun(config, run, file);
  return [...dumpJournal({ path: file })];
}
