import { BEST, type Comparison, comparedText, differenceText, differsShown, isBetter, signOf } from '#report/comparison/comparison.ts';
import { capital } from '#report/summary.ts';
import { framed, topLine } from './frame.ts';
import { escaped, folded, part, plainTimes, table } from './html.ts';
import { judgedLine, unjudged } from './judged.ts';

/** So many results have their figures and their curves beside each other. */
const MOST_BESIDE = 3;

/** Results side by side as one HTML file: figures as columns with their growth over each other, and settings that differ. */
export function comparisonPage(comparison: Comparison): string {
  const { runs, summary, caveats, settings } = comparison;
  const letters = runs.map(({ letter }) => letter);
  const title = `${letters.join(' beside ')}: ${runs.map(({ name }) => name).join(', ')}`;
  const curves = runs.some(({ curve }) => curve !== null)
    ? '<figure data-chart="curves"><figcaption>growth of 100: the total return of each so far</figcaption></figure>'
    : '<p class="none">n/a: none of them can be valued</p>';
  const settingRows = settings.map(({ setting, values }) => [setting, ...values.map((one) => one ?? '-')]);
  const first = figureTable(comparison, firstOf(comparison), 'figures');
  return framed({
    title: `${title} - Kairos report`,
    header: `${topLine(title)}
<p class="summary">${escaped(summary)}</p>
${caveats.map((one) => judgedLine(one)).join('\n')}
${toldOnce(comparison)}`,
    main: [
      part('first', 'Figures and growth', `<div${runs.length > MOST_BESIDE ? '' : ' class="beside"'}><div>${first}</div>${curves}</div>`),
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
      folded('figures', 'All figures', differing(comparison)),
    ].join(''),
    data: { currency: '', compared: runs.flatMap(({ letter, curve }) => (curve === null ? [] : [{ letter, ...curve }])) },
  });
}

/** What is said of each result, and once what is said of all of them. */
function toldOnce({ runs, played, came, assumed }: Comparison): string {
  const line = (name: string, of: readonly string[], came: string): string => {
    const told = [...of.map(escaped), ...(came === '' ? [] : [came])];
    return told.length === 0 ? '' : `<li>${name}: ${told.join('. ')}</li>`;
  };
  const all = escaped(capital(came.shared.join('; ')));
  const rows = runs.map(({ letter, name }, n) =>
    line(`<b>${letter}</b> ${escaped(name)}`, played.own[n] ?? [], unjudged((came.own[n] ?? []).join('; '))),
  );
  const assumptions = assumed.map(({ letter, text }) => `<li><b>${letter}</b> alone assumes: ${escaped(text)}</li>`);
  return `<ul class="runs">${rows.join('')}${line('<b>all</b>', played.shared, all)}${assumptions.join('')}</ul>`;
}

/** The figures that are looked at first. */
const FIRST: ReadonlySet<string> = new Set('totalReturn netProfit maxDrawdown sharpe profitFactor winRate trades totalCost'.split(' '));
const firstOf = ({ figures }: Comparison): Comparison['figures'] => figures.filter(({ id }) => FIRST.has(id));

/** All figures: those that differ as a table, the others as one line. */
function differing(comparison: Comparison): string {
  const { figures } = comparison;
  const [apart, alike] = [true, false].map((is) => figures.filter((row) => differsShown(row) === is));
  const same = (alike ?? []).map((row) => escaped(`${row.label} ${comparedText(row, 0)}`));
  return `${figureTable(comparison, apart ?? [], 'all figures')}${same.length === 0 ? '' : `<p class="muted">Equal: ${same.join(', ')}</p>`}`;
}

/** Figures in the colours of their signs; the best is marked where a figure has a better side, and whether the second of two is better. */
function figureTable({ runs }: Comparison, figures: Comparison['figures'], label: string): string {
  const isTwo = runs.length === 2;
  const head = ['figure', ...runs.map(({ letter }) => letter), ...(isTwo ? ['B \u2212 A'] : [])];
  const rows = figures.map((row) => {
    const cells = row.values.map((value, n) => {
      const isBest = row.best === n;
      const classes = ['n', isBest ? 'best' : '', signOf(row, value) ?? ''];
      return `<td class="${classes.filter((one) => one !== '').join(' ')}">${isBest ? `<span title="${BEST}">&#9733;</span> ` : ''}${escaped(plainTimes(comparedText(row, n)))}</td>`;
    });
    const better = isBetter(row);
    const apart = `<td class="n${better === null ? '' : better ? ' up' : ' down'}">${escaped(differenceText(row))}</td>`;
    return `<tr class="${differsShown(row) ? 'differs' : 'alike'}"><th scope="row">${escaped(row.label)}</th>${cells.join('')}${isTwo ? apart : ''}</tr>`;
  });
  const heads = head.map((title, n) => `<th scope="col"${n > 0 ? ' class="n"' : ''}>${escaped(title)}</th>`).join('');
  const sides = isTwo ? `; B \u2212 A: <span class="up">better</span>, <span class="down">worse</span>` : '';
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="compared"><thead><tr>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div><p class="muted">&#9733; ${BEST}${sides}</p>`;
}
