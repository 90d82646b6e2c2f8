import { type Headline, note } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import type { ScreenedCount } from './confirmation.ts';

/** What the screen played, as the end of a sentence. */
export const screenedText = (of: ScreenedCount | undefined): string =>
  of === undefined || of.screened === 0 ? '' : `; ${counted(of.screened, 'trial')} screened, ${of.confirmed} replayed, all equal`;

/** Why the engine played trials that were to be screened, a line for each reason. */
export function unscreenedHeadlines(of: ScreenedCount | undefined): readonly Headline[] {
  return of?.unscreened.map(({ why, trials }) => note(`${trials} of ${counted(of.trials, 'trial')} played by the engine: ${why}`)) ?? [];
}
