import { type Headline, note } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import type { ScreenedCount } from './confirmation.ts';

/** What the screen played, as the end of a sentence. */
export const screenedText = (of: ScreenedCount | undefined): string =>
  of === undefined || of.screened === 0 ? '' : `; ${counted(of.screened, 'trial')} screened, ${of.confirmed} replayed, all equal`;

/** Why the engine played trials that were to be screened, in one line. */
export function unscreenedHeadlines(of: ScreenedCount | undefined): readonly Headline[] {
  if (of === undefined || of.unscreened.length === 0) return [];
  const sum = of.unscreened.reduce((all, { trials }) => all + trials, 0);
  const reasons = of.unscreened.map(({ why, trials }) => (of.unscreened.length === 1 ? why : `${why} ${trials}`)).join(', ');
  return [note(`${sum} of ${counted(of.trials, 'trial')} were played by the engine: ${reasons}`)];
}
