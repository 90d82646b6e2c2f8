import type { FoldsView, ScatterView, SearchView } from '#report/search-view.ts';
import { framed, topLine } from './frame.ts';
import { escaped, part, table } from './html.ts';
import { judged, unjudged } from './judged.ts';
import type { SearchData } from './page-data.ts';

/** Trials that are drawn: so many of the ranking, from its first to its last. */
const MAX_FIELDS = 10_000;
const MAX_POINTS = 3_000;

/** What a search found, for the top of its best trial's report: heat map, plateau, halves and luck. */
export function searchParts(search: SearchView | null): string {
  if (search === null) return '';
  const { parameters, plateau, halves, luck } = search;
  const drawn = sampled(search.points, MAX_FIELDS).length;
  const none =
    '<p class="none">Nothing to draw: no trial can be ranked, since each failed, never traded or has no net profit in one currency.</p>';
  const isRanked = search.points.some((one) => one.isRanked);
  const heat =
    parameters.length === 0
      ? ''
      : !isRanked
        ? none
        : `<p>${escaped(plateau ?? '')}</p><div class="tools" id="heat-tools"></div>
<figure data-chart="heat"><figcaption>each field the trials of its two values${drawn < search.points.length ? `, of ${drawn} out of all ${search.points.length}` : ''}; the outlined one holds the trial that stands first</figcaption></figure>`;
  return `${part('heat', 'Where it made and lost money', heat)}${part('halves', 'First half against second half', scatter(halves))}${part('luck', 'Is it luck?', listOf(luck))}`;
}

/** What the page's script draws of a search. */
export const searchData = (search: SearchView | null): SearchData | null =>
  search && {
    parameters: search.parameters,
    figures: search.figures,
    points: sampled(search.points, MAX_FIELDS),
    first: search.first,
    scatter: scatterData(search.halves),
  };

function scatter(of: ScatterView | string): string {
  if (typeof of === 'string') return `<details class="unsaid"><summary>Not known</summary><p>${escaped(of)}</p></details>`;
  return `<p>${escaped(of.says)}</p><figure data-chart="scatter"><figcaption>across: ${escaped(of.x)}; up: ${escaped(of.y)}; on the dashed line both are the same</figcaption></figure>`;
}

const scatterData = (of: ScatterView | string): ScatterView | null =>
  typeof of === 'string' ? null : { ...of, points: sampled(of.points, MAX_POINTS, ({ isChosen }) => isChosen) };

/** At most so many, evenly from the first on: the best alone would show no bad ones. */
function sampled<Item>(all: readonly Item[], most: number, isKept = (_: Item): boolean => false): readonly Item[] {
  const each = Math.ceil(all.length / most);
  return all.filter((one, n) => n % each === 0 || isKept(one));
}

const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul class="caveats">${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;

/** A walk-forward or the folds of a cross-validation as one HTML file. */
export function foldsPage(view: FoldsView): string {
  const { title, summary, headlines, equity, from, luck, verdict } = view;
  const lines = headlines.filter(({ level }) => level !== 'note').map(({ level, text }) => `<p class="${level}">${escaped(text)}</p>`);
  const columns = view.table.head.map((one, n) => ({ title: one, numeric: n > 1 && n < view.table.head.length - 1 }));
  const chained =
    equity.length > 1
      ? '<figure data-chart="chained"><figcaption>growth of 100: each test continues with the result of the one before</figcaption></figure>'
      : '';
  return framed({
    title: `${title} - Kairos report`,
    header: `${topLine(title)}
<p class="summary${headlines.some(({ level }) => level === 'failed') ? ' bad' : ''}">${unjudged(summary, verdict?.text)}</p>
${verdict ? judged([summary], verdict) : ''}
${lines.join('\n')}`,
    main: [
      part('scatter', 'In sample against out of sample', scatter(view.scatter)),
      part('chained', 'All tests, one after the other', chained),
      part('luck', 'Is it luck?', listOf(luck)),
      part('folds', 'Trainings and their tests', table(columns, view.table.rows)),
      part('caveats', 'Caveats', listOf(headlines.filter(({ level }) => level === 'note').map(({ text }) => text))),
    ].join(''),
    data: {
      currency: '',
      search: { parameters: [], figures: [], points: [], first: null, scatter: scatterData(view.scatter) },
      chained: [[from, 100], ...equity.map(({ at, value }) => [at, Number((value * 100).toPrecision(9))] as const)],
    },
  });
}
