import { isoTime } from '#domain/names.ts';
import { BEST, type Comparison, comparedText, differenceText, differsShown } from '#report/comparison/comparison.ts';
import { framed, topLine } from './frame.ts';
import { escaped, folded, part, table } from './html.ts';
import { judgedLine, unjudged } from './judged.ts';

/** Results side by side as one HTML file: their growth over each other, settings that differ, figures as columns. */
export function comparisonPage(comparison: Comparison): string {
  const { runs, summary, caveats, settings } = comparison;
  const letters = runs.map(({ letter }) => letter);
  const title = `${letters.join(' beside ')}: ${runs.map(({ name }) => name).join(', ')}`;
  const rows = runs.map(({ letter, name, title: played, summary: came, from, to }, n) => {
    const span = `${isoTime(from).slice(0, 16).replace('T', ' ')} to ${isoTime(to).slice(0, 16).replace('T', ' ')} UTC`;
    return `<li><b class="run${n % 6}">${letter}</b> ${escaped(name)}: ${escaped(played)}<small>${escaped(span)}</small>${came === '' ? '' : `<p>${unjudged(came)}</p>`}</li>`;
  });
  const curves = runs.some(({ curve }) => curve !== null)
    ? '<figure data-chart="curves"><figcaption>growth of 100: the total return of each so far</figcaption></figure>'
    : '<p class="none">n/a: none of them can be valued</p>';
  const settingRows = settings.map(({ setting, values }) => [setting, ...values.map((one) => one ?? '-')]);
  return framed({
    title: `${title} - Kairos report`,
    header: `${topLine(title)}
<p class="summary">${escaped(summary)}</p>
${caveats.map((one) => judgedLine(one)).join('\n')}
<ul class="runs">${rows.join('')}</ul>`,
    main: [
      part('first', 'Figures', figureTable(comparison, firstOf(comparison))),
      part('curves', 'Growth from the same start', curves),
      part(
        'settings',
        'What differs in their settings',
        settings.length === 0
          ? '<p class="none">nothing</p>'
          : table(
              ['setting', ...letters].map((one) => ({ title: one })),
              settingRows,
            ),
      ),
      folded('figures', 'All figures', figureTable(comparison, comparison.figures, ONLY)),
    ].join(''),
    data: { currency: '', compared: runs.flatMap(({ letter, curve }) => (curve === null ? [] : [{ letter, ...curve }])) },
  });
}

/** The figures that are looked at first. */
const FIRST: ReadonlySet<string> = new Set(['totalReturn', 'netProfit', 'maxDrawdown', 'sharpe', 'trades', 'totalCost']);
const firstOf = ({ figures }: Comparison): Comparison['figures'] => figures.filter(({ id }) => FIRST.has(id));

const ONLY = '<p><label><input type="checkbox" id="only"> only what differs</label></p>';

/** Differences stand out, and the best is marked where a figure has a better side. */
function figureTable({ runs }: Comparison, figures: Comparison['figures'], tools = ''): string {
  const of = (n: number): string => runs[n]?.currency ?? '';
  const isTwo = runs.length === 2;
  const head = ['figure', ...runs.map(({ letter }) => letter), ...(isTwo ? ['B \u2212 A'] : [])];
  const rows = figures.map((row) => {
    const cells = row.values.map((value, n) => {
      const isBest = row.best === n;
      return `<td class="n${isBest ? ' best' : ''}">${isBest ? `<span title="${BEST}">&#9733;</span> ` : ''}${escaped(comparedText(value, row, of(n)))}</td>`;
    });
    const apart = isTwo ? `<td class="n">${escaped(differenceText(row, of(0)))}</td>` : '';
    return `<tr class="${differsShown(row, of(0)) ? 'differs' : 'alike'}"><th scope="row">${escaped(row.label)}</th>${cells.join('')}${apart}</tr>`;
  });
  const heads = head.map((title, n) => `<th scope="col"${n > 0 ? ' class="n"' : ''}>${escaped(title)}</th>`).join('');
  return `${tools}<div class="scroll" tabindex="0" role="region" aria-label="${tools === '' ? 'figures' : 'all figures'}"><table class="compared"><thead><tr>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div><p class="muted">&#9733; ${BEST}; grey: all alike.</p>`;
}
