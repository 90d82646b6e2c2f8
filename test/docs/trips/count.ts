/** `npm run trips`: the files and functions of `src` that V8 enters on the trips that matter; `-- --write` lists them in the page. Also a thread of the test. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort } from 'node:worker_threads';
import smaCross from '../../../strategies/sma-cross.ts';
import { quote } from '../../support/market-data.ts';
import { Rig } from '../../support/rig.ts';
import { ROOT } from '../../support/root.ts';
import { BLOCK, listOf, PAGE, type Trip, type TripName } from './list.ts';

const inspector = new Session();
inspector.connect();
inspector.post('Profiler.enable');

/** Begins anew: what was entered before counts no more. */
function begin(): void {
  inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  inspector.post('Profiler.takePreciseCoverage');
}

function entered(): Trip {
  const found = new Map<string, string[]>();
  inspector.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { url, functions } of result) {
      const file = url.startsWith('file:') ? path.relative(path.join(ROOT, 'src'), fileURLToPath(url)) : '..';
      if (file.startsWith('..') || file.startsWith('strategy-testing/')) continue;
      const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName || '(unnamed)');
      if (names.length > 0) found.set(file, names);
    }
  });
  inspector.post('Profiler.stopPreciseCoverage');
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of the third order and what comes after it: what is made once has been made. */
function countTrips(): Readonly<Record<TripName, Trip>> {
  const rig = new Rig({ strategies: { cross: smaCross }, params: { fast: 1, slow: 3 } });
  const prices = [60_000, 59_900, 59_800, 60_200, 60_300, 59_000, 58_900];
  const at = (price: number) => quote({ buy: price, sell: price - 1, validUntil: rig.clock.now() + 3_000 });
  for (const price of prices) {
    const before = rig.broker.submitted.length;
    rig.moveBy(1_000);
    rig.quote(at(price));
    if (rig.broker.submitted.length > before) rig.answer(rig.last);
  }
  const counted: Record<TripName, Trip> = { 'quote to order': {}, 'answer to books': {}, 'quiet quote': {} };
  const submit = rig.broker.submit.bind(rig.broker);
  rig.broker.submit = (order, isStopped) => {
    counted['quote to order'] = entered();
    submit(order, isStopped);
  };
  rig.moveBy(1_000);
  const acting = at(60_200);
  begin();
  rig.quote(acting);
  begin();
  rig.answer(rig.last);
  counted['answer to books'] = entered();
  rig.moveBy(1_000);
  const quiet = at(60_300);
  begin();
  rig.quote(quiet);
  counted['quiet quote'] = entered();
  rig.close();
  rig.remove();
  return counted;
}

const trips = countTrips();
if (!isMainThread) parentPort?.postMessage(trips);
else {
  for (const [name, trip] of Object.entries(trips)) {
    console.log(`${name}: ${Object.keys(trip).length} files, ${Object.values(trip).flat().length} functions`);
    for (const [file, functions] of Object.entries(trip)) console.log(`  ${file}: ${functions.join(', ')}`);
  }
  if (process.argv.includes('--write')) writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(BLOCK, listOf(trips)));
}
