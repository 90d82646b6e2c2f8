import type { Film, FilmEnding, Light, RoomLine } from '#lab/arena/server/film.ts';
import { kindOf } from '#lab/simulator/plan/faults.ts';
import { lengthMs, type SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';
import type { Camera } from './camera.ts';
import { LIGHT_CODES, OTHER_LIGHTS } from './checks.ts';
import type { CatalogueLine } from './numbers.ts';
import { placeOf } from './places.ts';

interface FilmParts {
  readonly plan: SimulationPlan;
  readonly outcome: SimulationOutcome;
  readonly camera: Camera;
  readonly numbers: ReadonlyMap<string, CatalogueLine>;
}

/** The film of a played history, for the page. */
export function filmOf({ plan, outcome, camera, numbers }: FilmParts): Film {
  const { samples, travels, strikes, lines } = camera.reel;
  const broken = outcome.violation?.invariant;
  const madeMs = outcome.violation?.at ?? camera.now;
  const codes = broken === undefined || LIGHT_CODES.includes(broken) ? LIGHT_CODES : [...LIGHT_CODES, broken];
  return {
    title: `Seed ${plan.seed}`,
    names: { service: 'Service', network: 'Network', daemon: 'Daemon', disk: 'Disk' },
    facts: factsOf(plan),
    lights: codes.map((code): Light => ({ code, title: titleOf(code, numbers) })),
    faults: plan.troubles.map(({ fault, from, to }) => ({
      fault,
      what: kindOf(fault).what,
      happens: numbers.get(fault)?.happens ?? '',
      room: placeOf(fault),
      from,
      to,
    })),
    samples,
    travels,
    strikes,
    lines,
    // What is left over at its end settles after the planned hours.
    lengthMs: Math.max(lengthMs(plan), madeMs),
    madeMs,
    isLive: false,
    verdict: verdictOf(outcome, numbers),
    score: null,
  };
}

const titleOf = (code: string, numbers: ReadonlyMap<string, CatalogueLine>): string =>
  numbers.get(code)?.what ?? OTHER_LIGHTS[code] ?? 'a rule of the simulator itself';

function verdictOf({ violation, orders, quotes, lives }: SimulationOutcome, numbers: ReadonlyMap<string, CatalogueLine>): FilmEnding {
  if (violation === null) {
    return {
      holds: true,
      title: 'No invariant was broken',
      text: `${orders} orders, ${quotes} quotes, ${lives} ${lives === 1 ? 'process' : 'processes'}`,
    };
  }
  const { invariant, what } = violation;
  return { holds: false, title: `${invariant} does not hold: ${titleOf(invariant, numbers)}`, text: what };
}

function factsOf({ products, strategies, dialect, settings, cadenceMs, validityMs }: SimulationPlan): readonly RoomLine[] {
  const fact = (label: string, value: string): RoomLine => ({ label, value, tone: 'plain' });
  return [
    fact('products', products.join(', ')),
    fact('strategies', strategies.map(({ id, use, product }) => `${id}: ${use} in ${product}`).join('; ')),
    fact('quotes', `every ${(cadenceMs / 1000).toFixed(1)} s, valid for ${(validityMs / 1000).toFixed(1)} s`),
    fact('the service reads', dialect.length === 0 ? 'all as the paper venue does' : dialect.join(', ')),
    fact('settings', settings.join(', ')),
  ];
}
