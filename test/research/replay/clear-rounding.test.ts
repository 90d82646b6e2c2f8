import { describe, expect, test } from 'vitest';
import { decimalOf, floorToStep } from '#domain/decimal.ts';
import { seeded } from '#domain/seeded.ts';
import { sent } from '#paper-venue/core/quote-making.ts';
import { Grid, sentFigure } from '#research/replay/modelled-lane.ts';

const next = (x: number): number => x + Math.max(Math.abs(x) * Number.EPSILON, Number.MIN_VALUE);

/** Figures of every size, among them those on a step, halfway between two, and the doubles beside both. */
function figures(): readonly number[] {
  const { next: random } = seeded('figures');
  return Array.from({ length: 3000 }, () => {
    const figure = random() * 10 ** Math.floor(random() * 18 - 8);
    const cut = Number(figure.toFixed(Math.floor(random() * 11)));
    return [figure, cut, next(cut), Number(`${figure.toFixed(8)}5`), -cut];
  }).flat();
}

describe('doubles round as the exact decimals do', () => {
  test('F33 figures as they are sent', () => {
    const wrong = figures().filter((figure) => sentFigure(figure, () => decimalOf(figure)) !== sent(decimalOf(figure)));
    expect(wrong).toEqual([]);
  });

  test('the difference of two prices, of which much cancels out', () => {
    const { next: random } = seeded('differences');
    const wrong = Array.from({ length: 3000 }, () => {
      const buy = sent(decimalOf(random() * 10 ** Math.floor(random() * 8)));
      return [buy, sent(decimalOf(buy * (1 - random() * 1e-6)))] as const;
    }).filter(([buy, sell]) => {
      const exact = () => decimalOf(buy).minus(sell);
      return sentFigure(buy - sell, exact, Math.max(buy, sell)) !== sent(exact());
    });
    expect(wrong).toEqual([]);
  });

  test.each(['0.01', '0.00000001', '0.05', '0.25', '1', '5', '100', '0.0000000001'])('prices and sizes on steps of %s', (text) => {
    const step = decimalOf(text);
    const grid = new Grid(step);
    const wrong = figures().filter((figure) => {
      const steps = decimalOf(figure).div(step);
      return (
        grid.price(figure, 'up') !== sent(steps.ceil().times(step)) ||
        grid.price(figure, 'down') !== sent(steps.floor().times(step)) ||
        (figure >= 0 && grid.size(figure, () => decimalOf(figure)) !== floorToStep(decimalOf(figure), step).toNumber())
      );
    });
    expect(wrong).toEqual([]);
  });
});
