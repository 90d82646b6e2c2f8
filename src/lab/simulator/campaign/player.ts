import { appendFileSync } from 'node:fs';
import { reached } from '#lab/simulator/defects/reached.ts';
import { simulate } from '#lab/simulator/simulation.ts';
import type { PlayReport, PlayRequest } from './messages.ts';
import { shippedStrategies } from './shipped.ts';

/** A process that plays plans, one after the other, under simulated time. */
const tell = (report: PlayReport): void => void process.send?.(report);

const shipped = await shippedStrategies();
/** What was come by as modules were loaded: it counts for each history. */
const atLoad = reached.collect();

process.on('message', (order: PlayRequest) => {
  const before = process.cpuUsage();
  const { plan, words, trace } = order;
  const onLine = words ? (line: string) => tell({ kind: 'line', line }) : undefined;
  const onNote = trace === null ? undefined : (line: string) => appendFileSync(trace, line);
  simulate(plan, shipped, { onLine, onNote }).then(
    (outcome) => {
      const { user, system } = process.cpuUsage(before);
      tell({ kind: 'over', outcome, cpuMs: (user + system) / 1000, reached: { ...atLoad, ...reached.collect() } });
    },
    (error: unknown) => {
      throw error;
    },
  );
});
// A terminal sends them to all: the campaign ends after the histories that are being played.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
