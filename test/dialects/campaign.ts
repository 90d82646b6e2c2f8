import { GRADES, type Grade, type Trial, trial } from './trial.ts';

export interface CampaignResult {
  readonly trials: readonly Trial[];
  readonly grades: Readonly<Record<Grade, number>>;
  /** How often a reading was drawn, and how often it was in a dialect that was unsafe or silent. */
  readonly blamed: ReadonlyMap<string, number>;
}

export interface CampaignOptions {
  readonly seeds: readonly string[];
  readonly onTrial?: (trial: Trial) => void;
  /** Asked before each: whether there is time for it. */
  readonly goOn?: () => boolean;
}

/** Plays the dialects of these seeds, one after the other. */
export async function campaign({ seeds, onTrial, goOn = () => true }: CampaignOptions): Promise<CampaignResult> {
  const trials: Trial[] = [];
  for (const seed of seeds) {
    if (!goOn()) break;
    const played = await trial(seed);
    trials.push(played);
    onTrial?.(played);
  }
  return resultOf(trials);
}

export function resultOf(trials: readonly Trial[]): CampaignResult {
  const grades: Record<Grade, number> = { trades: 0, set: 0, stands: 0, vague: 0, idle: 0, silent: 0, unsafe: 0 };
  const blamed = new Map<string, number>();
  for (const { grade, names } of trials) {
    grades[grade] += 1;
    if (grade === 'unsafe' || grade === 'silent') for (const name of names) blamed.set(name, (blamed.get(name) ?? 0) + 1);
  }
  return { trials, grades, blamed };
}

/** What each grade says. */
export const SAID: Readonly<Record<Grade, string>> = {
  trades: 'traded as it comes, books equal',
  set: 'traded with the settings that name it, books equal; before, one line named them or it traded',
  stands: 'stood still, and one line named the cause',
  vague: 'stood still, and no line named the cause',
  idle: 'stood still though nothing in it should stop the client, and said so',
  silent: 'stood still without a line',
  unsafe: 'UNSAFE',
};

/** A trial as one line. */
export function lineOf({ seed, names, grade, executions, why }: Trial): string {
  return `${seed} ${grade} ${executions} ${names.join(',')}${why === '' ? '' : ` | ${why.replaceAll('\n', ' ').slice(0, 400)}`}`;
}

/** How a trial is played again. */
export function againOf({ seed }: Trial): string {
  return `npm run dialects -- --seed ${seed} --count 1`;
}

/** The result as a few lines for people. */
export function describeCampaign({ trials, grades, blamed }: CampaignResult): string {
  const executions = trials.reduce((sum, one) => sum + one.executions, 0);
  const counts = GRADES.map((grade) => `  ${String(grades[grade]).padStart(5)}  ${grade.padEnd(7)} ${SAID[grade]}`);
  const worst = [...blamed].sort((a, b) => b[1] - a[1]).slice(0, 10);
  return [
    `${trials.length} drawn dialects, ${executions} orders executed`,
    ...counts,
    grades.unsafe + grades.silent === 0
      ? 'none was unsafe, none silent, no order was sent twice'
      : `oftenest in those that were unsafe or silent: ${worst.map(([name, count]) => `${name} ${count}`).join(', ')}`,
  ].join('\n');
}
