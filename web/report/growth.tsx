import type { RunData } from '#report/page/page-data.ts';
import { amount } from '../words/numbers.ts';
import { Lines, type UnitLine } from './lines.tsx';
import { pointsOf, secondText } from './series.ts';

/** What the run made of its capital beside buying and holding as much as its largest position; below, how far it stood under its highest. */
export function Growth({ equity, currency }: { readonly equity: NonNullable<RunData['equity']>; readonly currency: string }) {
  const { growth, held, falls } = equity;
  const grown = pointsOf(growth);
  const lines: readonly UnitLine[] = [
    { name: 'the run', ink: 'first', pane: 0, look: 'area', places: 2, unit: currency, points: grown },
    ...(held && held.values.length > 0
      ? [
          {
            ...({
              name: 'as much as its largest position, bought and held',
              ink: 'second',
              pane: 0,
              look: 'line',
              places: 2,
              unit: currency,
            } as const),
            points: pointsOf(held),
          },
        ]
      : []),
    { name: 'drawdown', ink: 'down', pane: 1, look: 'fall', places: 2, unit: '%', points: pointsOf(falls, -100) },
  ];
  const says = `Growth of the initial capital, at the end ${amount(grown.at(-1)?.value, currency)}, and its drawdown.`;
  return <Lines lines={lines} says={says} timeText={(seconds) => secondText(seconds * 1000)} tall />;
}
