import { isoTime } from '#domain/names.ts';
import type { DecisionSummary } from './order-history.ts';
import type { RunStrategy } from './record.ts';
import type { StrategyStories, StrategyStory } from './strategy-stories.ts';

/** Strategies that are named. */
const NAMED = 3;

/** Strategies that failed, or that Kairos disabled, in a few words: `strategy bug failed and was disabled at ...`. Undefined where none did. */
export function failedWords(strategies: readonly RunStrategy[], stories: StrategyStories): string | undefined {
  const told = strategies.filter(({ enabled }) => enabled).flatMap(({ id }) => words(stories.of(id)) ?? []);
  if (told.length === 0) return undefined;
  const more = told.length - NAMED;
  const named = told.slice(0, NAMED).join(', ');
  return `${told.length === 1 ? 'strategy' : 'strategies:'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

function words({ strategy, first, failures, disabled }: StrategyStory): string | undefined {
  if (disabled && (first || disabled.who === 'kairos'))
    return `${strategy} ${first ? 'failed and ' : ''}was disabled at ${isoTime(disabled.at)}`;
  if (!first) return undefined;
  return `${strategy} failed ${failures === 1 ? 'once,' : `${failures} times, first`} at ${isoTime(first.at)}`;
}

/** That trading was halted, or that only exits passed, to the end of the run; undefined where it went on. */
export function haltedWords({ halts, reducings }: Pick<DecisionSummary, 'halts' | 'reducings'>): string | undefined {
  const [halt, reducing] = [halts, reducings].map((spells) => spells.find(({ to }) => to === null));
  if (halt) return `trading was halted at ${isoTime(halt.from)}`;
  return reducing && `only exits passed from ${isoTime(reducing.from)} on`;
}

/** Why a result is not one of all its time and strategies: one of them failed, or orders were stopped to the end; undefined where neither is so. */
export function stoppedWords(
  strategies: readonly RunStrategy[],
  seen: Pick<DecisionSummary, 'stories' | 'halts' | 'reducings'>,
): string | undefined {
  return failedWords(strategies, seen.stories) ?? haltedWords(seen);
}
