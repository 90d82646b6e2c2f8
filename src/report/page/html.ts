import { typeset, unbroken } from '#domain/money-text.ts';
import { shown } from '#domain/one-line.ts';

/** Text made safe to stand in a page. */
export function escaped(text: string): string {
  return unbroken(shown(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A text with its times to the second, as people read them. */
export const plainTimes = (text: string): string => text.replace(/\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z/g, '$1 $2');

/** Plain data as a script's text, which cannot end the script that it stands in. */
export function scriptData(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? shown(one) : one)).replaceAll('<', '\\u003c');
}

interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
}

/** A table; cells are text. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const isFigure = (index: number): boolean => columns[index]?.numeric ?? false;
  const of = (index: number): string => (isFigure(index) ? ' class="n"' : '');
  const head = columns
    .map(({ title }, index) => (title === '' ? `<td${of(index)}></td>` : `<th scope="col"${of(index)}>${escaped(title)}</th>`))
    .join('');
  const body = rows
    .map(
      (row) => `<tr>${row.map((cell, index) => `<td${of(index)}>${escaped(isFigure(index) ? typeset(cell) : cell)}</td>`).join('')}</tr>`,
    )
    .join('\n');
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(columns.find(({ title }) => title !== '')?.title ?? 'table')}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** A part of the page with its heading; nothing where there is nothing in it. */
export function part(id: string, title: string, content: string): string {
  return content === '' ? '' : `<section id="${id}"><h2>${escaped(title)}</h2>${content}</section>\n`;
}

/** A part of the page that is opened by a click on its heading; nothing where there is nothing in it. */
export const folded = (id: string, title: string, content: string): string =>
  content === ''
    ? ''
    : `<section id="${id}" class="fold"><details><summary><h2>${escaped(title)}</h2></summary>${content}</details></section>\n`;
