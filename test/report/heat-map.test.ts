import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';

const SCRIPT = readFileSync(new URL('../../src/report/page/scripts/search.js', import.meta.url), 'utf8');

/** What the page's script draws of trials with these figures: look and depth of colour of each field, and the texts. */
function drawn(values: readonly (number | null)[]): { readonly fields: readonly string[]; readonly texts: readonly string[] } {
  const fields: string[] = [];
  const texts: string[] = [];
  const figure = { dataset: { chart: 'heat' }, querySelector: () => ({}) };
  const element = (_: object, name: string, of: Readonly<Record<string, string>>, text = ''): object => {
    if (name === 'rect' && of.style !== undefined) fields.push(`${of.class} ${of.style}`);
    if (name === 'text') texts.push(text);
    return { addEventListener: () => {} };
  };
  const points = values.map((value, n) => ({ values: [n], figures: [value], isRanked: true }));
  const search = { parameters: ['fast'], figures: [{ name: 'Sharpe', isShare: false }], points, first: 0, scatter: null };
  const charts = {
    ...{ data: { search }, element, numberText: String, canvas: () => ({ svg: {}, width: 800 }) },
    begin: (_: unknown, draw: (of: object) => void) => draw(figure),
  };
  runInContext(SCRIPT, createContext({ charts, document: { getElementById: () => null, querySelector: () => null } }));
  return { fields, texts };
}

test('the colours of a heat map use the range of its figures, and the legend says it', () => {
  const { fields, texts } = drawn([7.8, 9.65, 11.5, null]);
  expect(fields).toEqual(['field won --share:8%', 'field won --share:32%', 'field won --share:55%', 'field none --share:8%']);
  expect(texts.at(-1)).toBe('across fast; palest 7.8, deepest 11.5');
});

test('losses alone have their own range; beside profits all begin at zero', () => {
  expect(drawn([-1, -3]).fields).toEqual(['field lost --share:8%', 'field lost --share:55%']);
  expect(drawn([-1, 2]).fields).toEqual(['field lost --share:32%', 'field won --share:55%']);
  expect(drawn([-1, 2]).texts.at(-1)).toBe('across fast; palest 0, deepest 2');
  expect(drawn([5]).fields).toEqual(['field won --share:8%']);
  expect(drawn([null]).texts.at(-1)).toBe('across fast');
});
