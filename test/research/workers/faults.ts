import '../../../scripts/ensure-node.mjs';
import { programOf } from '../../support/tools.ts';
import { sweepWithFaults } from './with-faults.ts';

/** `npm run queue:faults`: 2,000 trials over workers that die, hang and are older, held against one machine. Ends with 1 where a byte differs. */
if (programOf('redis-server') === undefined) throw new Error('redis-server is missing: apt-get install redis-server');
const begun = performance.now();
const { byQueue, alone, byQueueCsv, aloneCsv, keptAtFault, kept, older } = await sweepWithFaults({ fast: 200, seconds: 600 });
const isSame = byQueue.stdout === alone.stdout && byQueueCsv === aloneCsv;
console.log(
  `${kept} trials kept, ${keptAtFault} of them before one worker was killed and one stopped, in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
);
console.log(`the older worker: ${older.split('\n').at(-2)}`);
console.log(`by queue: exit ${byQueue.code}; one machine: exit ${alone.code}`);
console.log(isSame ? `equal, byte for byte: ${byQueue.stdout.length} bytes of JSON, ${byQueueCsv.length} of CSV` : 'NOT EQUAL');
process.exitCode = isSame && kept === 2_000 ? 0 : 1;
