import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Goes round an empty loop so many times in each of so many threads and prints how long the slowest took: what a further thread can bring here. */
const [rounds, threads] = isMainThread ? process.argv.slice(2).map(Number) : [workerData as number];
if (isMainThread && rounds !== undefined && threads !== undefined) console.log(JSON.stringify(await loops(rounds, threads)));
else if (rounds !== undefined) spin(rounds);

async function loops(each: number, count: number): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: count }, () => looped(each)));
  return performance.now() - began;
}

function looped(each: number): Promise<unknown> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: each });
  return new Promise((done, failed) => worker.once('exit', done).once('error', failed));
}

/** Arithmetic that touches no memory. */
function spin(each: number): void {
  let sum = 0;
  for (let round = 0; round < each; round += 1) sum = (sum * 31 + round) | 0;
  if (sum === 1) console.error(sum);
}
