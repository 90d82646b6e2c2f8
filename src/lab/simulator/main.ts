import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { scriptValues } from '#assembly/script-options.ts';
import { campaign } from './campaign/campaign.ts';
import { Crew } from './campaign/crew.ts';
import { KEPT_HOURS, keepHistories, keptHistories } from './campaign/kept-histories.ts';
import { keepSeed, readSeed } from './campaign/kept-seed.ts';
import { shrink } from './campaign/shrink.ts';
import { changedText, failedText, failureText, neverSeen, seenText } from './campaign/words.ts';
import { hunt, huntedText } from './defects/hunt.ts';
import { drawMutants, type MutantResult, scoreText, soundHistories, triedText, tryMutant } from './defects/mutants.ts';
import { PLANTED, plantedNamed } from './defects/planted.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { SimulationPlan } from './plan/plan.ts';

/**
 * `npm run simulate -- --seeds 500 --hours 1 --seed 1`: plays the seeds from `--seed` on. A seed that fails is told at once, with the line that plays it
 * again. `--words` prints a single seed's history as it happens, `--trace FILE` writes every byte of it. `--kept FILE` plays a saved seed. `--no-shrink` does not make failing seeds smaller;
 * after `--minutes`, or once it is asked to end, no other seed is begun. `--defects`
 * plants defects and says how many seeds each took, `--defect NAME` one of them; `--mutants N` draws one-line changes of the code instead, and plays the
 * kept histories and those after them with each, `--part 1/4` a quarter of them.
 * `--keep FILE` writes that down. A history that is not the one of `test/kept/histories.txt` fails the campaign.
 */
const values = scriptValues({
  name: 'simulate',
  does: 'plays simulations with drawn faults in virtual time; a seed that fails is printed with the line that plays it again',
  options: {
    seeds: { type: 'string', default: '1', value: 'N', says: 'number of seeds, from --seed on' },
    seed: { type: 'string', default: '1', value: 'SEED', says: 'the first seed' },
    hours: { type: 'string', default: '1', value: 'N', says: 'length of each history' },
    cores: { type: 'string', value: 'N', says: 'processes at a time; without it, one a core' },
    minutes: { type: 'string', default: '600', value: 'N', says: 'after this time no further seed starts' },
    patience: { type: 'string', default: '4', value: 'N', says: 'minutes after which a history counts as stuck; more beside other work' },
    words: { type: 'boolean', default: false, says: "prints a single seed's history as it happens" },
    trace: { type: 'string', value: 'FILE', says: 'writes every byte of a single history' },
    kept: { type: 'string', value: 'FILE', says: 'plays a saved seed' },
    defects: { type: 'boolean', default: false, says: 'plants defects and says how many seeds it took to find each' },
    defect: { type: 'string', value: 'NAME', says: 'plants one defect' },
    mutants: { type: 'string', value: 'N', says: 'draws so many one-line changes of the code by --seed, and says how many are found' },
    histories: { type: 'string', default: '100', value: 'N', says: 'with --mutants: plays at most so many with each' },
    part: { type: 'string', default: '1/1', value: 'K/N', says: 'with --mutants: tries each Nth of them, from the Kth on' },
    keep: { type: 'string', value: 'FILE', says: 'writes what --defects or --mutants found, else the hash of each history, to this file' },
    'no-shrink': { type: 'boolean', default: false, says: 'does not make failing seeds smaller' },
  },
});

/** Number of seeds from which a campaign reports the faults that it did not see. */
const WHOLE = 500;
/** Minimum number of seeds before a planted defect counts as missed. */
const HUNTED = 100;

const seeds = Number(values.seeds);
const hours = Number(values.hours);

if (values.defects || values.defect !== undefined) process.exit(await huntAll());

if (values.mutants !== undefined) process.exit(await tryMutants(Number(values.mutants)));

const crew = new Crew({
  size: Math.min(seeds, Number(values.cores ?? availableParallelism())),
  patienceMs: Number(values.patience) * 60_000,
});
process.exitCode = values.kept !== undefined || values.words || values.trace !== undefined ? await playOne() : await playMany();
crew.close();

/** Plants each defect in turn; each must be found. */
async function huntAll(): Promise<number> {
  const lines: string[] = [];
  let missed = 0;
  const planted = values.defect === undefined ? PLANTED : [plantedNamed(values.defect)];
  for (const defect of planted) {
    const hunted = await hunt(defect, {
      first: Number(values.seed),
      most: Math.max(HUNTED, seeds),
      hours,
      cores: Number(values.cores ?? availableParallelism()),
    });
    if (hunted.found === null) missed += 1;
    lines.push(huntedText(hunted));
    console.log(huntedText(hunted));
  }
  const sum = `${planted.length - missed} of ${planted.length} planted defects were found by the invariants alone`;
  console.log(sum);
  if (values.keep !== undefined) writeFileSync(values.keep, `${[...lines, sum].join('\n')}\n`);
  return missed === 0 ? 0 : 1;
}

/** Draws mutants and tries each, as long as there is time; those that were not tried do not count. */
async function tryMutants(wanted: number): Promise<number> {
  const cores = Number(values.cores ?? availableParallelism());
  const until = systemTimers.monotonicMs() + Number(values.minutes) * 60_000;
  const { sources, mutants } = drawMutants(wanted, values.seed);
  const trial = { sources, cores, patienceMs: Number(values.patience) * 60_000 };
  const seedTexts = Array.from({ length: Number(values.histories) }, (_, at) => String(at + 1));
  const histories = await soundHistories(seedTexts, hours, trial);
  console.log(`${histories.length} histories hold without a mutant`);
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  const left = mutants.filter((_, at) => at % parts === part - 1);
  const tried: MutantResult[] = [];
  const tryOn = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant && systemTimers.monotonicMs() < until; mutant = left.shift()) {
      const one = await tryMutant(mutant, histories, trial);
      tried.push(one);
      console.log(triedText(one));
    }
  };
  await Promise.all(Array.from({ length: cores }, tryOn));
  console.log(scoreText(tried));
  if (values.keep !== undefined) writeFileSync(values.keep, `${[...tried.map(triedText), scoreText(tried)].join('\n')}\n`);
  return tried.length > 0 ? 0 : 1;
}

async function playOne(): Promise<number> {
  const plan: SimulationPlan = values.kept === undefined ? drawPlan(values.seed, hours) : readSeed(values.kept).plan;
  const { outcome, cpuMs } = await crew.play(plan, {
    onLine: values.words ? (line) => console.log(line) : undefined,
    trace: values.trace ?? null,
  });
  if (outcome.violation !== null) {
    console.log(failureText(plan, outcome, againOf(plan)));
    return 1;
  }
  console.log(
    `seed ${plan.seed}: every invariant holds; ${outcome.orders} orders, ${outcome.quotes} quotes, ${outcome.lives} processes, ${Math.round(cpuMs)} ms, hash ${outcome.hash.slice(0, 16)}`,
  );
  return 0;
}

async function playMany(): Promise<number> {
  const bar = new SingleBar(
    { format: '{bar} {value}/{total} seeds, {failed} failed, {eta_formatted} left', stream: process.stderr },
    Presets.shades_classic,
  );
  const started = systemTimers.monotonicMs();
  const hashes = new Map<string, string>();
  let failing = 0;
  let isAsked = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isAsked = true));
  if (process.stderr.isTTY) bar.start(seeds, 0, { failed: 0 });
  const result = await campaign({
    first: Number(values.seed),
    seeds,
    hours,
    crew,
    kept: values.keep === undefined && hours === KEPT_HOURS ? keptHistories() : new Map(),
    goOn: () => !isAsked && systemTimers.monotonicMs() - started < Number(values.minutes) * 60_000,
    onOver: ({ plan, outcome }) => {
      if (outcome.violation !== null) {
        failing += 1;
        console.log(failureText(plan, outcome, againOf(plan)));
      }
      hashes.set(plan.seed, outcome.hash);
      bar.increment(1, { failed: failing });
    },
  });
  bar.stop();
  for (const { plan, outcome } of values['no-shrink'] ? [] : result.failed) {
    const small = await shrink(plan, outcome, async (smaller) => (await crew.play(smaller)).outcome);
    const { violation } = small.outcome;
    const file = keepSeed({
      plan: small.plan,
      invariant: violation?.invariant ?? 'none',
      found: `${violation?.what ?? ''} (not fixed yet)`,
    });
    console.log(
      `seed ${plan.seed} made smaller: ${small.plan.troubles.length} faults, ${small.plan.hours} h, kept as ${path.relative(process.cwd(), file)}`,
    );
    console.log(failureText(small.plan, small.outcome, `npm run simulate -- --kept ${path.relative(process.cwd(), file)}`));
  }
  const seconds = (systemTimers.monotonicMs() - started) / 1000;
  console.log(seenText(result.seen));
  console.log(
    `${result.played < seeds ? `${result.played} of ${seeds}` : seeds} seeds of ${hours} h in ${seconds.toFixed(0)} s, ${(result.cpuMs / 1000 / Math.max(1, result.played)).toFixed(2)} s of CPU each: ` +
      `${result.quotes} quotes, ${result.orders} orders, ${result.lives} processes; ${result.failed.length} seeds failed`,
  );
  if (result.failed.length > 0) console.log(failedText(result.failed));
  if (result.changed.length > 0) console.log(changedText(result.changed));
  if (values.keep !== undefined) keepHistories(values.keep, hashes);
  const missing = result.played >= WHOLE ? neverSeen(result.seen) : [];
  if (missing.length > 0) console.log(`never struck, so nothing was tested: ${missing.join(', ')}`);
  return result.failed.length + result.changed.length + missing.length === 0 ? 0 : 1;
}

function againOf({ seed, hours: length }: SimulationPlan): string {
  return values.kept === undefined
    ? `npm run simulate -- --seed ${seed} --hours ${length} --words`
    : `npm run simulate -- --kept ${values.kept}`;
}
