import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { type LoadedStrategy, loadStrategies } from '#assembly/assemble.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { recordedSettings } from '#config/recorded.ts';
import { KairosError } from '#domain/errors.ts';
import { SilentPlay } from './silent-play.ts';

/** The run whose strategy is meant. */
export interface RunOfPlay {
  readonly run_id: string;
  readonly config_json: string;
}

/** A strategy of a run, to be played again; undefined where its source is another one now, or its signals hear of more than quotes. */
export async function loadPlay(strategy: string, { run_id, config_json }: RunOfPlay, recordings: string): Promise<SilentPlay | undefined> {
  const settings = recordedSettings(run_id, config_json);
  const strategies = settings.strategies.filter(({ id }) => id === strategy);
  try {
    const then = sourcesIn(run_id, recordings);
    const [loaded] = await loadStrategies({ ...settings, strategies }, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
    if (!loaded || then[strategy] !== loaded.sourceHash || !hearsQuotesAlone(loaded)) return undefined;
    return new SilentPlay(loaded.strategy, settings.trading.warmUpMaxGapMs ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    // What cannot be played again is shown where it was decided on.
    if (!(error instanceof KairosError)) throw error;
    return undefined;
  }
}

/** The hash of each strategy's source in a run. */
function sourcesIn(run: string, recordings: string): Readonly<Record<string, string>> {
  const { value: first } = openRun(logPath(recordings, run)).items().next();
  return first?.kind === 'event' && first.event.event.kind === 'start' ? first.event.event.facts.strategySources : {};
}

const hearsQuotesAlone = ({ strategy: { inputs } }: LoadedStrategy): boolean =>
  Object.values(inputs ?? {}).every(({ kind }) => kind === 'lane');
