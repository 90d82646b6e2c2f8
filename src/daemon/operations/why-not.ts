import type { Settings } from '#config/settings.ts';
import type { Millis } from '#domain/names.ts';
import { unknownStrategy } from '#domain/unknown-strategy.ts';
import type { WhyNotAnswer, WhyNotView } from '#domain/why-not.ts';
import { saidByDaemon } from './said-by-daemon.ts';

interface Question {
  readonly settings: Settings;
  /** `last`: when something was last refused, or where nothing was, the end of the last run; undefined: now. */
  readonly at: Millis | 'last' | undefined;
  /** One strategy; undefined for all of the run. */
  readonly strategy: string | undefined;
  readonly folders: { readonly cwd: string; readonly packaged: string };
  /** Called before longer work. */
  readonly notice: (text: string) => void;
}

/**
 * Why strategies had no order at a time. The present of a daemon that runs is asked of it; anything else is played again from
 * recording and journal, which takes the longer the more the run has recorded. Throws NOT_FOUND for an unknown strategy.
 */
export async function whyNotAnswers({ settings, at, strategy, folders, notice }: Question): Promise<readonly WhyNotAnswer[]> {
  const present = at === undefined ? await saidByDaemon('why-not', settings.journal.path) : undefined;
  if (present) return wanted(present, strategy);
  const { silences } = await import('#research/parity/silence.ts');
  const { whyNotAnswer } = await import('#report/why-not.ts');
  return (await silences({ settings, at, strategy, folders, notice })).map(whyNotAnswer);
}

function wanted({ run, answers }: WhyNotView, strategy: string | undefined): readonly WhyNotAnswer[] {
  const found = strategy === undefined ? answers : answers.filter((answer) => answer.strategy === strategy);
  if (strategy !== undefined && found.length === 0)
    throw unknownStrategy(
      `run ${run}`,
      strategy,
      answers.map((answer) => answer.strategy),
    );
  return found;
}
