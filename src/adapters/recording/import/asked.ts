import { type BarGapCounts, longestIn } from './bar-width.ts';
import type { BarStamp } from './bars.ts';
import { USUAL } from './formats.ts';
import { type Layout, plainTitle, quotedTitle } from './layout.ts';
import type { Prices } from './prices.ts';

/** What asks for the spread of a file with one price a row: how to use the one that it has, or to assume another. */
export function spreadAsked({ layout, point }: Prices): string {
  const one = 'it has one price a row, without bid and ask';
  const assume = '--spread-bps, the spread to assume, such as 2';
  const title = layout.titles[layout.spreadsSeen];
  if (title === undefined) return `${one}; add ${assume}`;
  if (layout.format !== 'metatrader') return `${one}; add --spread ${title}, with --point where it is not in price, or ${assume}`;
  const uses = point === undefined ? '--point NUMBER, what one is worth in price, uses it' : `--point ${point} uses it`;
  return `${one}; ${title} is in points: ${uses}, or add ${assume}`;
}

/** What asks for the range of bars. Beside bid and ask, columns of usual titles may be those of a third price: who knows says so. */
export function rangeAsked({ titles }: Layout): string {
  const needs = '--bar-path worst needs the range of each bar';
  const [low, high] = [USUAL.low, USUAL.high].map((usual) => titles.find((title) => usual.some((one) => one === plainTitle(title))));
  if (low === undefined || high === undefined) return `${needs}; name its columns with --low and --high`;
  const add = `--low ${quotedTitle(low)} --high ${quotedTitle(high)}`;
  return `${needs}; where '${low}' has its lowest bid and '${high}' its highest ask, add ${add}`;
}

/** What asks for the width of bars: where they have several, ends that the file itself has are right whatever is said. */
export function widthAsked(gaps: BarGapCounts, stamp: BarStamp): string {
  if (gaps.size === 0) return 'the width of its only bar is unknown; add --bar, in seconds';
  const { ms, hasBreaks } = longestIn(gaps);
  const longest = `--bar ${Math.ceil(ms / 1000)}, the longest time from a row to the next${hasBreaks ? ', breaks apart' : ''}`;
  return `its bars have no one width; add ${longest}${stamp === 'end' ? '' : ', and --stamp end where times are those of ends'}`;
}

/** What asks of which moment bid and ask are that stand beside the prices of a bar. */
export const momentAsked = ({ titles, bid, ask }: Layout): string =>
  `it has bars beside '${titles[bid]}' and '${titles[ask]}': where these are of the end of a bar, add --bar, in seconds; where they are of its time, name them with --bid and --ask`;
