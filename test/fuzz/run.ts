import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWrong, scriptValues } from '#assembly/script-options.ts';
import { keepFilesInMemory } from '../support/memory-folder.ts';
import { campaign } from './campaign.ts';

// Thousands of files are written and synchronised, some of them as the targets are loaded.
keepFilesInMemory();
const { TARGETS } = await import('./targets.ts');

/**
 * `npm run fuzz -- --target NAME --minutes M --seed S`: hostile input for every decoder, led by the branches that it reaches. Without
 * `--target` each has its share of the time; `--inputs N` has as many tried for each instead, the same for the same seed. Ends with 1 where an input broke its target; that input lies in `var/fuzz/`, and
 * `--keep` puts those that reached something new into the corpus, which every run begins with.
 */
const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url));
const BROKEN = fileURLToPath(new URL('../../var/fuzz/', import.meta.url));
/** Files of this size and less are kept, the newest of so many. */
const KEPT_BYTES = 2_048;
const MAX_KEPT = 40;

const nameOf = (input: Uint8Array): string => createHash('sha256').update(input).digest('hex').slice(0, 16);

function corpusOf(name: string): Uint8Array[] {
  const folder = path.join(CORPUS, name);
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(path.join(folder, file)));
}

function keep(name: string, found: readonly Uint8Array[]): number {
  const small = found.filter(({ length }) => length <= KEPT_BYTES).slice(0, Math.max(0, MAX_KEPT - corpusOf(name).length));
  for (const input of small) writeFileSync(path.join(CORPUS, name, nameOf(input)), input);
  return small.length;
}

function options() {
  const names = TARGETS.map(({ name }) => name).join(', ');
  const values = scriptValues({
    name: 'fuzz',
    does: 'hostile input for the decoders, led by the branches that it reaches',
    options: {
      target: { type: 'string', value: 'NAME', says: `one of ${names}; each has its share without it` },
      minutes: { type: 'string', value: 'N', says: 'so long in all (default: 1)' },
      seconds: { type: 'string', value: 'N', says: 'so long in all' },
      inputs: { type: 'string', value: 'N', says: 'so many for each target, however long they take' },
      seed: { type: 'string', default: '1', value: 'TEXT', says: 'decides what is drawn' },
      keep: { type: 'boolean', default: false, says: 'puts inputs that reached something new into the corpus' },
    },
  });
  const targets = TARGETS.filter(({ name }) => values.target === undefined || values.target === name);
  if (targets.length === 0) endWrong(`npm run fuzz: --target ${values.target}: there are ${names}`);
  const seconds = values.seconds === undefined ? Number(values.minutes ?? '1') * 60 : Number(values.seconds);
  const most =
    values.inputs === undefined
      ? { milliseconds: (seconds * 1000) / targets.length, inputs: Number.POSITIVE_INFINITY }
      : { milliseconds: Number.POSITIVE_INFINITY, inputs: Number(values.inputs) };
  return { ...values, most, targets };
}

async function main(): Promise<void> {
  const { targets, most, seed, keep: isKept } = options();
  for (const { name } of targets) {
    const begin = corpusOf(name);
    const end = await campaign({ name, seed, ...most, begin });
    if (end.kind === 'held') {
      const kept = isKept ? `, ${keep(name, end.found)} kept` : '';
      const { ran, of } = end.reached;
      console.log(
        `${name}: held over ${end.runs} inputs, ${begin.length} of the corpus, ${ran} of ${of} branches, ${end.found.length} new${kept}`,
      );
      continue;
    }
    mkdirSync(BROKEN, { recursive: true });
    const file = path.join(BROKEN, `${name}-${nameOf(end.input)}`);
    writeFileSync(file, end.input);
    console.log(`${name}: BROKEN by ${path.relative(process.cwd(), file)} (seed ${seed})\n${end.why}`);
    process.exitCode = 1;
  }
}

await main();
