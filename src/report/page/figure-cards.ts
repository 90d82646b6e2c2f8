import { type Figure, type Section, valueText } from '#report/figures.ts';
import { type MissingFigures, saidAndUnsaid } from '#report/missing-figures.ts';
import type { RunReport } from '#report/report.ts';
import { escaped } from './html.ts';

/** The figures that are looked at first, as far as they can be said. */
const FIRST: readonly (readonly [id: string, label: string])[] = [
  ['totalReturn', 'return'],
  ['netProfit', 'net profit'],
  ['revaluation', 'revaluation'],
  ['maxDrawdown', 'max drawdown'],
  ['sharpe', 'Sharpe ratio'],
  ['profitFactor', 'profit factor'],
  ['winRate', 'win rate'],
  ['totalCost', 'costs'],
  ['trades', 'trades'],
];

const SIGNED = new Set(['totalReturn', 'netProfit', 'revaluation', 'sharpe']);

/** A figure to the digit that the commands show, as HTML. */
const figureText = (figure: Figure, currency: string): string => escaped(valueText(figure, currency));

/** The tiles at the top of a report's page, as HTML: what can be said; the rest folded away with its reason. */
export function tiles({ sections, currency }: RunReport): string {
  const { said, unsaid } = saidAndUnsaid(sections);
  const known = new Map(said.flatMap(({ figures }) => figures.map((figure) => [figure.id, figure])));
  const cells = FIRST.flatMap(([id, label]) => {
    const figure = known.get(id);
    // Where all capital is in the report's currency nothing is revalued, and nothing is to be said of it.
    if (figure === undefined || figure.value === null || (id === 'revaluation' && figure.value === 0)) return [];
    const tone = !SIGNED.has(id) || figure.value === 0 ? '' : figure.value < 0 ? 'down' : 'up';
    return [`<div class="tile"><span>${escaped(label)}</span><b class="${tone}">${figureText(figure, currency)}</b></div>`];
  });
  const folded = unsaid.flatMap(({ why, figures }) => {
    const names = FIRST.flatMap(([id, label]) => (figures.some((one) => one.id === id) ? [label] : []));
    return names.length === 0 ? [] : [`${names.join(', ')}: ${why}`];
  });
  const rest =
    folded.length === 0
      ? ''
      : `<details class="unsaid"><summary>What is not known</summary><ul>${folded.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul></details>`;
  return `<div class="tiles">${cells.join('')}</div>${rest}\n`;
}

/** Figures, a card a section. */
export function figureCards(sections: readonly Section[], currency: string): string {
  const row = (figure: Figure): string => {
    const note = figure.note === undefined ? '' : `<small>${escaped(figure.note)}</small>`;
    return `<dt>${escaped(figure.label)}${note}</dt><dd>${figureText(figure, currency)}</dd>`;
  };
  const cards = sections.map(
    ({ title, figures }) => `<div class="card"><h3>${escaped(title)}</h3><dl>${figures.map(row).join('')}</dl></div>`,
  );
  return `<div class="cards">${cards.join('\n')}</div>`;
}

/** Figures that say nothing, folded away under their reasons. */
export function unsaidFolds(unsaid: readonly MissingFigures[], currency: string): string {
  if (unsaid.length === 0) return '';
  const count = unsaid.reduce((sum, { figures }) => sum + figures.length, 0);
  const text = (figure: Figure): string => (figure.value === null ? figure.label : `${figure.label} (${valueText(figure, currency)})`);
  const rows = unsaid.map(({ why, figures }) => `<dt>${escaped(why)}</dt><dd>${escaped(figures.map(text).join('; '))}</dd>`);
  return `<details class="unsaid"><summary>${count} figures that are not known</summary><dl>${rows.join('')}</dl></details>`;
}
