import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { campaign } from '#lab/simulator/campaign/campaign.ts';
import { Crew } from '#lab/simulator/campaign/crew.ts';
import { readSeed, SEEDS_FOLDER } from '#lab/simulator/campaign/kept-seed.ts';
import { shrink } from '#lab/simulator/campaign/shrink.ts';
import { changedText, failureText } from '#lab/simulator/campaign/words.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';

const crew = new Crew({ size: 1 });
afterAll(() => crew.close());

const MINUTES = 60;

/** What came of a plan, in words where it failed. */
async function played(plan: SimulationPlan): Promise<SimulationOutcome> {
  const { outcome } = await crew.play(plan);
  expect(failureText(plan, outcome, plan.seed), outcome.seed).toBe('');
  return outcome;
}

describe('drawn histories of the real daemon', () => {
  test('L10 a few hold every invariant, and trade', async () => {
    const result = await campaign({ first: 1, seeds: 3, hours: 9 / MINUTES, crew, onOver: () => {} });
    expect(result.failed.map(({ plan, outcome }) => failureText(plan, outcome, plan.seed))).toEqual([]);
    expect(result).toMatchObject({ played: 3 });
    expect(result.orders).toBeGreaterThan(20);
  });

  test('a source of signals from outside, with its faults: each is taken once at most, none that is false', async () => {
    const plan = drawPlan('3', 9 / MINUTES);
    expect(plan).toMatchObject({
      signalsEveryMs: expect.any(Number),
      strategies: expect.arrayContaining([expect.objectContaining({ use: 'follower' })]),
    });
    await played(plan);
  });

  test('the same seed in another process is the same history, byte by byte (I25)', async () => {
    const plan = drawPlan('11', 6 / MINUTES);
    const other = new Crew({ size: 1 });
    const [one, two] = [await played(plan), (await other.play(plan)).outcome];
    other.close();
    expect(two.hash).toBe(one.hash);
    expect(await played(drawPlan('12', 6 / MINUTES)).then(({ hash }) => hash)).not.toBe(one.hash);
  });
});

test('a campaign begins no seed once its time is over, and counts those that it played', async () => {
  const outcome = { seed: '1', violation: null, last: [], hash: 'a', seen: {}, orders: 1, quotes: 1, lives: 1 };
  let asked = 0;
  const goOn = (): boolean => {
    asked += 1;
    return asked <= 3;
  };
  const alike = { size: 1, play: async () => ({ outcome, cpuMs: 1, reached: {} }) };
  const result = await campaign({ first: 1, seeds: 500, hours: 1, crew: alike, onOver: () => {}, goOn });
  expect(result).toMatchObject({ played: 3, orders: 3, failed: [] });
});

test('a campaign names the seeds whose history is not the kept one', async () => {
  const outcome = { seed: '1', violation: null, last: [], hash: 'a', seen: {}, orders: 1, quotes: 1, lives: 1 };
  const alike = { size: 1, play: async () => ({ outcome, cpuMs: 1, reached: {} }) };
  const kept = new Map([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  const { changed } = await campaign({ first: 1, seeds: 3, hours: 1, crew: alike, kept, onOver: () => {} });
  expect(changed).toEqual(['2']);
  expect(changedText(changed)).toMatch(/histories.txt: 2$/m);
});

describe('histories that once found something', () => {
  const kept = readdirSync(SEEDS_FOLDER).filter((name) => name.endsWith('.json'));
  test.each(kept.map((name) => [name, readSeed(path.join(SEEDS_FOLDER, name))] as const))('%s', async (_name, { plan, found }) => {
    expect(found).toMatch(/^[A-Z].*\.$/s);
    await played(plan);
  });
});

describe('a failing plan is made smaller', () => {
  const outcomeOf = (plan: SimulationPlan, isBroken: boolean): SimulationOutcome => ({
    seed: plan.seed,
    violation: isBroken ? { invariant: 'I05', what: 'an order is too large', at: 500_000 } : null,
    last: [],
    hash: '',
    seen: {},
    orders: 0,
    quotes: 0,
    lives: 1,
  });

  test('to the faults that it needs, and no longer than it takes', async () => {
    const troubles = [0, 1, 2, 3, 4, 5].map((id) => ({ id, fault: 'F03' as const, from: 0, to: 1, share: 1, figure: 0 }));
    const plan = { ...drawPlan('1', 1), troubles };
    const isBroken = ({ troubles: left }: SimulationPlan) => left.some(({ id }) => id === 1) && left.some(({ id }) => id === 4);
    const small = await shrink(plan, outcomeOf(plan, true), async (smaller) => outcomeOf(smaller, isBroken(smaller)));
    expect(small.plan.troubles.map(({ id }) => id)).toEqual([1, 4]);
    expect(small.plan).toMatchObject({ acts: [], dialect: [], depositsEveryMs: 0 });
    expect(small.plan.strategies).toHaveLength(1);
    expect(small.plan.hours).toBeLessThan(0.2);
  });

  test('and another invariant is another failure', async () => {
    const plan = drawPlan('2', 1);
    const other = async (smaller: SimulationPlan): Promise<SimulationOutcome> => ({
      ...outcomeOf(smaller, false),
      violation: { invariant: 'I26', what: '', at: 0 },
    });
    const small = await shrink(plan, outcomeOf(plan, true), other);
    expect(small.plan).toEqual(plan);
  });
});

test('a seed is its plan: the same text draws the same one', () => {
  expect(drawPlan('5', 1)).toEqual(drawPlan('5', 1));
  expect(drawPlan('5', 1)).not.toEqual(drawPlan('6', 1));
});
