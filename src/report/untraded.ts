import { addTo, topReasons } from './refused-words.ts';
import type { StrategyStory } from './strategy-stories.ts';

/** Why strategies have no fill, in a few words, for headlines and summaries: orders that were refused or came to nothing, else what keeps one from asking. */
export function untradedWords(
  stories: readonly StrategyStory[],
  { who, asked }: { readonly who: string; readonly asked?: number | undefined },
): string {
  const [refused, missed] = [tallied(stories.map((story) => story.refused.counts)), tallied(stories.map((story) => story.missed))];
  const kept = [
    ...(refused.size > 0 ? [`refused ${topReasons(refused)}`] : []),
    ...(missed.size > 0 ? [`came to nothing ${topReasons(missed)}`] : []),
  ];
  if (kept.length > 0) return kept.join('; ');
  const [story] = stories;
  return story && stories.length === 1 ? `${who} ${unasked(story, asked)}` : 'no strategy asked for an order';
}

/** What kept a strategy from asking for an order. */
function unasked({ intents, failures, disabled, warmingUp, nan, held }: StrategyStory, asked: number | undefined): string {
  if (intents > 0) return `asked for ${intents === 1 ? 'an order, which' : `${intents} orders, which`} came to nothing`;
  if (failures > 0) return 'failed';
  if (disabled) return 'was disabled';
  if (warmingUp !== null) return `was still warming up (${warmingUp})`;
  if (nan) return 'had signals that were not a number';
  if (held) return `decided nothing: it held ${held.count} times, at last "${held.why}"`;
  if (asked === undefined) return 'decided nothing: none of its signals led to an order';
  if (asked === 0) return 'decided nothing: decide was never called, because its signals emitted nothing';
  return `decided nothing: decide was called ${asked === 1 ? 'once' : `${asked} times`} and asked for no order`;
}

/** Reasons of all strategies together. */
function tallied(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const one of counts) for (const [reason, count] of one) addTo(all, reason, count);
  return all;
}
