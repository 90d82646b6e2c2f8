import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { loadStrategy } from '#core/strategy/loader.ts';
import { SHIPPED } from '#simulator/plan/draw-strategies.ts';
import { simulate } from '#simulator/simulation.ts';
import type { Order, Report } from './messages.ts';

/** A process that plays plans, one after the other: simulated time is put under all that is in it. */
const tell = (report: Report): void => void process.send?.(report);

/** The strategies that come with Kairos, loaded before time is simulated. */
const packaged = fileURLToPath(new URL('../../../strategies', import.meta.url));
const shipped = new Map<string, MarkedStrategy>();
for (const use of Object.keys(SHIPPED)) shipped.set(use, (await loadStrategy(use, { cwd: packaged, packaged })).definition);

process.on('message', (order: Order) => {
  const before = process.cpuUsage();
  const { plan, words, trace } = order;
  const onLine = words ? (line: string) => tell({ kind: 'line', line }) : undefined;
  const onNote = trace === null ? undefined : (line: string) => appendFileSync(trace, line);
  simulate(plan, shipped, { onLine, onNote }).then(
    (outcome) => {
      const { user, system } = process.cpuUsage(before);
      tell({ kind: 'over', outcome, cpuMs: (user + system) / 1000 });
    },
    (error: unknown) => {
      throw error;
    },
  );
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
