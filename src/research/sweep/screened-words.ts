import { type Headline, note } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import type { ScreenedCount } from './confirmation.ts';

/** What the screen played, as the end of a sentence. */
export function screenedText(of: ScreenedCount | undefined): string {
  if (of === undefined || of.screened === 0) return '';
  return `; ${counted(of.screened, 'trial')} screened${of.confirmed === 0 ? '' : `, ${of.confirmed} replayed, all equal`}`;
}

/** Why the engine played trials that were to be screened, a line for each reason. */
export function unscreenedHeadlines(of: ScreenedCount | undefined): readonly Headline[] {
  return of?.unscreened.map(({ why, trials }) => note(`${trials} of ${counted(of.trials, 'trial')} played by the engine: ${why}`)) ?? [];
}

/** What the screen played of a search that has no summary of its own, and why the engine played the rest. */
export function screenHeadlines(of: ScreenedCount | undefined): readonly Headline[] {
  const played = screenedText(of).slice(2);
  return played === '' ? unscreenedHeadlines(of) : [note(played), ...unscreenedHeadlines(of)];
}
