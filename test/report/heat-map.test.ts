import { expect, test } from 'vitest';
import { colourRange, depthOf, fieldsOf, sideOf } from '../../web/report/fields.ts';

/** The colours of trials with these figures: how much each field has of its own, and what the legend says. */
function coloured(values: readonly (number | null)[]) {
  const points = values.map((value, n) => ({ values: [n], figures: [value], isRanked: true }));
  const search = { parameters: ['fast'], figures: [{ name: 'Sharpe', isShare: false, currency: null }], points, first: 0, scatter: null };
  const fields = fieldsOf(search, { x: 0, y: -1, figure: 0, by: 'median' }, [sideOf(search, 0), sideOf(search, -1)]);
  const range = colourRange(fields);
  return { depths: fields.map((field) => depthOf(field, range)), range };
}

test('the colours of a heat map use the range of its figures, and the legend says it', () => {
  expect(coloured([7.8, 9.65, 11.5, null])).toEqual({ depths: [20, 40, 60, 20], range: { lowest: 7.8, palest: 7.8, highest: 11.5 } });
});

test('losses alone have their own range; beside profits all begin at zero', () => {
  expect(coloured([-1, -3]).depths).toEqual([20, 60]);
  expect(coloured([-1, 2])).toEqual({ depths: [40, 60], range: { lowest: -1, palest: 0, highest: 2 } });
  expect(coloured([5]).depths).toEqual([20]);
  expect(coloured([null]).range).toBeNull();
});

test('of many values ranges are fields, and a field says what its trials came to', () => {
  const points = Array.from({ length: 30 }, (_, n) => ({ values: [n, n % 2 === 0], figures: [n], isRanked: n > 0 }));
  const search = {
    parameters: ['fast', 'short'],
    figures: [{ name: 'Sharpe', isShare: false, currency: null }],
    points,
    first: 29,
    scatter: null,
  };
  const [across, up] = [sideOf(search, 0), sideOf(search, 1)];
  expect([across.count, across.textOf(0), across.placeOf(29), up.count, up.textOf(0)]).toEqual([14, '0+', 13, 2, 'true']);
  const fields = fieldsOf(search, { x: 0, y: 1, figure: 0, by: 'best' }, [across, up]);
  expect(fields.find(({ x, y }) => x === 0 && y === 0)).toMatchObject({ trials: [0, 2], value: 2, isFirst: false });
  expect(fields.filter(({ isFirst }) => isFirst)).toHaveLength(1);
});
