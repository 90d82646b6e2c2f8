import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { LIGHT_CODES, OTHER_LIGHTS } from '#lab/arena/film/checks.ts';
import { numbersTold } from '#lab/arena/film/numbers.ts';
import { planNamed } from '#lab/arena/film/plan.ts';
import { recordFilm } from '#lab/arena/film/record-film.ts';
import { Crew } from '#lab/simulator/campaign/crew.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';

const SIMULATOR = fileURLToPath(new URL('../../../src/lab/simulator', import.meta.url));
const MINUTES = 60;
/** Its second strategy trades soon, and a fault strikes orders for most of it. */
const drawn = planNamed({ seed: '32', hours: 6 / MINUTES });
const plan: SimulationPlan = { ...drawn, troubles: [{ id: 0, fault: 'F05', from: 30_000, to: 200_000, share: 1, figure: 0 }] };

const crew = new Crew({ size: 1 });
afterAll(() => crew.close());
const silent = { onShare: () => {} };

describe('a history that is filmed', () => {
  test('is the history that the simulator plays, byte by byte, and can be shown at any moment', async () => {
    const shares: number[] = [];
    const [{ film, outcome }, bare] = await Promise.all([recordFilm({ plan, onShare: (share) => shares.push(share) }), crew.play(plan)]);
    expect(outcome.hash).toBe(bare.outcome.hash);
    expect(film.verdict).toMatchObject({ holds: true, title: 'No invariant was broken' });
    expect(shares.at(-1)).toBeGreaterThan(0.5);
    expect(film.lengthMs).toBe(film.madeMs);
    for (const all of [film.samples, film.travels, film.strikes, film.lines]) {
      expect(all.length).toBeGreaterThan(0);
      expect(all.map(({ t }) => t)).toEqual(all.map(({ t }) => t).toSorted((a, b) => a - b));
    }
    const sent = film.travels.filter(({ what }) => what === 'order');
    expect(sent).toHaveLength(outcome.orders);
    expect(film.travels.filter(({ what }) => what === 'quote')).toHaveLength(outcome.quotes);
    // Each light is lit by what was really looked at: I01 once an order, and what is judged in the end once.
    const checks = Object.fromEntries(film.lights.map(({ code }, index) => [code, film.samples.at(-1)?.checks?.[index]]));
    expect(checks).toMatchObject({ I01: outcome.orders, I19: 1, I26: 1, books: 1, I17: 0 });
  });

  test('says of each fault what it is and what must happen then, in the words of docs/faults.md (F05)', async () => {
    const { film } = await recordFilm({ plan, ...silent });
    expect(film.strikes[0]).toMatchObject({ fault: 'F05', room: 'service', words: expect.stringContaining('an order on quote') });
    expect(film.faults).toMatchObject([
      { fault: 'F05', from: 30_000, to: 200_000, happens: expect.stringContaining('unknown until then') },
    ]);
    expect(film.lines.some(({ text }) => text.startsWith('F05: an order on quote'))).toBe(true);
    const before = film.samples.findLast(({ t, rooms }) => t < 30_000 && rooms.daemon);
    expect(before?.rooms.daemon).toContainEqual({ label: 'process', value: 'runs', tone: 'good' });
  });

  test('stops where an invariant breaks, and says its sentence', async () => {
    const preload = [path.join(SIMULATOR, 'defects', 'preload.ts')];
    const { film } = await recordFilm({ plan, ...silent, preload, env: { SIMULATED_DEFECT: 're-serialised-body' } });
    expect(film.verdict).toMatchObject({
      holds: false,
      title: `I12 does not hold: ${numbersTold().get('I12')?.what}`,
      text: expect.stringContaining('an order has the body {"side":'),
    });
    expect(film.samples.at(-1)?.broken).toMatchObject({ I12: expect.stringContaining('an order has the body') });
    expect(film.madeMs).toBeLessThan(film.lengthMs / 2);
  });
});

test('every invariant that the auditor can find broken has a light, with the sentence of docs/invariants.md', () => {
  const folder = path.join(SIMULATOR, 'watch');
  const code = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const judged = code.flatMap((text) => [...text.matchAll(/violate\(\s*'(I\d\d[a-z]?|books)'/g)].map(([, name = '']) => name));
  expect(judged.length).toBeGreaterThan(20);
  expect(judged.filter((name) => !LIGHT_CODES.includes(name))).toEqual([]);
  const numbers = numbersTold();
  expect(LIGHT_CODES.filter((name) => !numbers.has(name) && !Object.hasOwn(OTHER_LIGHTS, name))).toEqual([]);
});

test('a file that keeps no seed is told in one line', () => {
  expect(() => planNamed({ kept: path.join(SIMULATOR, 'nothing.json') })).toThrow(/--kept: .* cannot be read/);
  expect(() => planNamed({ kept: fileURLToPath(new URL('../../../package.json', import.meta.url)) })).toThrow(/keeps no seed/);
});
