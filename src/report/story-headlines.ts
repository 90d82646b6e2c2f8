import { isoTime } from '#domain/names.ts';
import { REASONS } from '#domain/reasons.ts';
import { type Headline, headline } from './headline.ts';
import type { StrategyStory } from './strategy-stories.ts';

/** Reasons of refusals that are named. */
const NAMED = 3;

/** What a strategy's story says against its result: that it failed, was disabled, brought no numbers, or never traded. */
export function storyHeadlines(story: StrategyStory, asked: number | undefined): readonly Headline[] {
  const { strategy, first, failures, disabled, nan, fills } = story;
  const about = { strategy };
  const lines: Headline[] = [];
  if (first) {
    const times = failures === 1 ? 'once' : `${failures} times, first`;
    const then = disabled ? `; disabled at ${isoTime(disabled.at)}` : '';
    const text = `FAILED  strategy ${strategy}: ${first.error} (${times} at ${isoTime(first.at)}${then})`;
    lines.push(headline('STRATEGY_FAILED', text, { ...about, level: 'failed', at: first.at }));
  } else if (disabled) {
    const text = `DISABLED  strategy ${strategy}: ${disabled.why} (at ${isoTime(disabled.at)}, by ${disabled.who})`;
    const level = disabled.who === 'kairos' ? 'failed' : 'warning';
    lines.push(headline('STRATEGY_DISABLED', text, { ...about, level, at: disabled.at }));
  }
  if (nan) {
    const times = nan.count === 1 ? 'once' : `${nan.count} times`;
    lines.push(
      headline('NAN_SIGNALS', `strategy ${strategy}: ${nan.why}, ${times}, first at ${isoTime(nan.at)}`, { ...about, at: nan.at }),
    );
  }
  if (fills === 0 && !((first || disabled) && saysNothing(story)))
    lines.push(headline('NEVER_TRADED', `strategy ${strategy} never traded: ${whyNever(story, asked)}`, about));
  return lines;
}

/** True where it never wanted an order: that it failed or was disabled is why. */
const saysNothing = ({ refused, missed, intents }: StrategyStory): boolean => refused.size === 0 && missed.size === 0 && intents === 0;

/** Why a strategy has no fill, in a few words; `asked`: how often `decide` was called, where that is known. */
function whyNever(story: StrategyStory, asked: number | undefined): string {
  const { failures, disabled, nan, warmingUp, held, refused, missed, intents } = story;
  if (refused.size > 0 || missed.size > 0) {
    const parts = [
      ...(refused.size > 0 ? [`refused ${topReasons(refused)}`] : []),
      ...(missed.size > 0 ? [`came to nothing ${topReasons(missed)}`] : []),
    ];
    const [top] = ranked(refused)[0] ?? [];
    const words = top === undefined ? undefined : MEANINGS[top];
    return `${parts.join('; ')}${words === undefined ? '' : ` (${words})`}`;
  }
  if (intents > 0) return `its ${intents} ${intents === 1 ? 'intent' : 'intents'} came to nothing`;
  if (failures > 0) return 'it failed';
  if (disabled) return 'it was disabled';
  if (warmingUp !== null) return `it was still warming up (${warmingUp})`;
  if (nan) return 'its signals were not a number';
  if (held) return `it decided nothing: it held ${held.count} times, at last "${held.why}"`;
  if (asked === 0) return 'decide was never called, since its signals brought nothing';
  const calls =
    asked === undefined
      ? 'none of its signals led to an order'
      : `decide was called ${asked === 1 ? 'once' : `${asked} times`} and asked for no order`;
  return `it decided nothing: ${calls}`;
}

/** `30131 LANE_STALE, 2 TIME_LEFT`: the most frequent first. */
function topReasons(counts: ReadonlyMap<string, number>): string {
  const all = ranked(counts);
  const left = all.slice(NAMED).reduce((sum, [, count]) => sum + count, 0);
  const named = all.slice(0, NAMED).map(([reason, count]) => `${count} ${reason}`);
  return [...named, ...(left === 0 ? [] : [`${left} for other reasons`])].join(', ');
}

const ranked = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));

const MEANINGS: Readonly<Record<string, string>> = REASONS;
