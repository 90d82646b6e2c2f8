import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';

/** A plan that once broke an invariant, with what it found. */
interface KeptSeed {
  /** One sentence on what it found, and on the mend. */
  readonly found: string;
  readonly invariant: string;
  readonly plan: SimulationPlan;
}

/** Folder of seeds that a test replays. */
export const SEEDS_FOLDER = fileURLToPath(new URL('../../../../test/seeds', import.meta.url));

/** Keeps a failing plan; returns its file. */
export function keepSeed({ plan, invariant, found }: KeptSeed): string {
  mkdirSync(SEEDS_FOLDER, { recursive: true });
  const file = path.join(SEEDS_FOLDER, `${invariant}-${plan.seed}.json`);
  writeFileSync(file, `${JSON.stringify({ found, invariant, plan }, null, 2)}\n`);
  return file;
}

export function readSeed(file: string): KeptSeed {
  return JSON.parse(readFileSync(file, 'utf8'));
}
