import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';

/** Maximum number of smaller plans that are tried. */
const MAX_TRIES = 80;

/** Plays a plan and returns its outcome. */
type Play = (plan: SimulationPlan) => Promise<SimulationOutcome>;

/** Shrinks a failing plan while it still breaks the same invariant: fewer faults, acts and strategies, and a shorter history. */
export async function shrink(
  plan: SimulationPlan,
  outcome: SimulationOutcome,
  play: Play,
): Promise<{ readonly plan: SimulationPlan; readonly outcome: SimulationOutcome }> {
  const broken = outcome.violation?.invariant;
  let best = { plan, outcome };
  let left = MAX_TRIES;
  const isKept = async (smaller: SimulationPlan): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    const tried = await play(smaller);
    if (tried.violation?.invariant !== broken) return false;
    best = { plan: smaller, outcome: tried };
    return true;
  };
  let isSmaller = true;
  while (isSmaller && left > 0) {
    isSmaller = false;
    for (const smaller of smallerThan(best.plan, best.outcome)) {
      if (!(await isKept(smaller))) continue;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Smaller plans, the most promising first. */
function* smallerThan(plan: SimulationPlan, { violation }: SimulationOutcome): Generator<SimulationPlan> {
  const { troubles, acts, strategies, dialect, hours } = plan;
  const untilHours = Math.ceil(((violation?.at ?? 0) + 150_000) / 36_000) / 100;
  if (untilHours < hours) yield { ...plan, hours: untilHours };
  for (const half of halves(troubles)) yield { ...plan, troubles: half };
  for (const without of eachLeftOut(troubles)) yield { ...plan, troubles: without };
  if (acts.length > 0) yield { ...plan, acts: [] };
  for (const without of eachLeftOut(acts)) yield { ...plan, acts: without };
  if (strategies.length > 1) for (const without of eachLeftOut(strategies)) yield { ...plan, strategies: without };
  if (dialect.length > 0) yield { ...plan, dialect: [] };
  if (plan.depositsEveryMs > 0) yield { ...plan, depositsEveryMs: 0 };
  if (plan.signalsEveryMs) yield { ...plan, signalsEveryMs: 0 };
}

function halves<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 4) return [];
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}

const eachLeftOut = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  items.map((_, at) => [...items.slice(0, at), ...items.slice(at + 1)]);
