// Writes a recording of several parts, seals those that are finished while it is still open, and kills itself at a step of
// that: `node child-rolling.ts FOLDER STEP`. Says the number of the last event that it has flushed.
import { writeSync } from 'node:fs';
import { RunLog } from '#adapters/recording/run-log.ts';
import { sealRun } from '#adapters/recording/seal.ts';
import { runId } from '#domain/names.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

const [dir = '', step = ''] = process.argv.slice(2);
const log = RunLog.create({ dir, run: runId('killed'), book: 'paper', rollBytes: 10_000 });
const EVENTS = 120;
for (let n = 1; n <= EVENTS; n += 1) {
  const quote = { kind: 'quote', quote: recordedQuote({ n }) } as const;
  log.append({ n, at: n * 1000, event: n === 1 ? { kind: 'products', products: [] } : quote });
}
log.flush();
writeSync(1, `${EVENTS}\n`);
let steps = 0;
for (const _ of sealRun(log.path, 0, () => {
  steps += 1;
  if (steps === Number(step)) process.kill(process.pid, 'SIGKILL');
}));
