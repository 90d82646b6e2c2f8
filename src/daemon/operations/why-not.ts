import { controlFiles } from '#adapters/journal/control-files.ts';
import type { Settings } from '#config/settings.ts';
import type { Millis } from '#domain/names.ts';
import { unknownStrategy } from '#domain/unknown-strategy.ts';
import type { WhyNotAnswer, WhyNotView } from '#domain/why-not.ts';
import { callDaemon } from './daemon-call.ts';
import { publishedIn } from './ops-files.ts';

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

const ANSWER_MS = 1000;

/**
 * Why strategies had no order at a time. The present of a daemon that runs is asked of it; anything else is played again from
 * recording and journal, which takes the longer the more the run has recorded. Throws NOT_FOUND for an unknown strategy.
 */
export async function whyNotAnswers({ settings, at, strategy, folders, notice }: Question): Promise<readonly WhyNotAnswer[]> {
  const present = at === undefined ? await presentOf(settings.journal.path) : undefined;
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

/** What the daemon of a journal answers; undefined where none runs, it is busy, or of another version. */
async function presentOf(journal: string): Promise<WhyNotView | undefined> {
  const published = publishedIn(controlFiles(journal).ops);
  if (!published) return undefined;
  try {
    const { ok, said } = await callDaemon(`${published.url}/api/why-not`, { withinMs: ANSWER_MS });
    return ok && isView(said) && said.pid === published.pid ? said : undefined;
  } catch {
    // It has ended without a word, or is too busy to answer: recording and journal are the source.
    return undefined;
  }
}

function isView(said: unknown): said is WhyNotView {
  if (typeof said !== 'object' || said === null || !('pid' in said) || !('run' in said) || !('answers' in said)) return false;
  return typeof said.run === 'string' && Array.isArray(said.answers) && said.answers.every(isAnswer);
}

function isAnswer(said: unknown): said is WhyNotAnswer {
  if (typeof said !== 'object' || said === null || !('facts' in said) || !Array.isArray(said.facts)) return false;
  return hasTexts(said, ['strategy', 'at', 'run', 'answer', 'advice']) && said.facts.every((fact) => hasTexts(fact, ['about', 'text']));
}

function hasTexts(said: unknown, names: readonly string[]): boolean {
  if (typeof said !== 'object' || said === null) return false;
  const fields = new Map<string, unknown>(Object.entries(said));
  return names.every((name) => typeof fields.get(name) === 'string');
}
