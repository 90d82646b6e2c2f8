import { existsSync, readFileSync } from 'node:fs';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import { parityOf } from '#apps/backtest/parity/parity.ts';
import type { Settings } from '#config/settings.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

/** Quotes of one lane that may be handled within one instant: a burst is conflated to its newest. */
const MAX_AT_AN_INSTANT = 3;

interface RecordingParts {
  readonly eye: JournalEye;
  readonly settings: Settings;
  readonly strategiesOf: (settings: Settings) => readonly LoadedStrategy[];
  readonly violate: Violate;
}

/** Plays what was recorded of each run again: the same inbox gives the same decisions (I19, I25), and no queue was worked off quote by quote (I21). */
export async function checkRecordings({ eye, settings, strategiesOf, violate }: RecordingParts): Promise<void> {
  for (const { run_id: run } of eye.rows<{ run_id: string }>('SELECT run_id FROM runs ORDER BY started_at')) {
    if (!isBegun(settings.recording.dir, run)) continue;
    checkConflation(settings.recording.dir, run, violate);
    const { equal, difference } = await parityOf({ settings, run, folders: { cwd: '/', packaged: '/' }, strategiesOf });
    if (!equal) violate('I19', `played again, run ${run} comes to other decisions: ${JSON.stringify(difference).slice(0, 3000)}`);
  }
}

/** False for a recording of which a crash left not even its first event, or a part of its first line. */
function isBegun(dir: string, run: string): boolean {
  const log = logPath(dir, run);
  if (existsSync(log) && !readFileSync(log).includes('\n')) return false;
  for (const item of openRun(log).items()) return item.kind === 'event';
  return false;
}

function checkConflation(dir: string, run: string, violate: Violate): void {
  let lane = '';
  let at = 0;
  let count = 0;
  for (const item of openRun(logPath(dir, run)).items()) {
    if (item.kind !== 'event' || item.event.event.kind !== 'quote') continue;
    const { event, at: time } = item.event;
    count = event.quote.lane === lane && time === at ? count + 1 : 1;
    lane = event.quote.lane;
    at = time;
    if (count > MAX_AT_AN_INSTANT)
      violate('I21', `run ${run}: quotes of lane ${lane} are worked off one by one, ${count} within one instant`);
  }
}
