import { useState } from 'preact/hooks';
import type { RunData } from '#report/page/page-data.ts';
import { amount } from '../words/numbers.ts';
import { apart, plain, ticks } from './axis.ts';
import { Drawing, Grid, MARGIN } from './drawing.tsx';

const HEIGHT = 190;
/** Room above the bars for their counts, in pixels. */
const COUNT_PX = 12;
/** Width from which a bar has room for its count. */
const MIN_COUNT_PX = 18;
const LABEL_PX = 60;

/** How many trades made how much: bars of equal width, those that lost to the left of 0. */
export function Histogram({ bins, currency }: { readonly bins: RunData['histogram']; readonly currency: string }) {
  const [said, say] = useState('');
  const most = Math.max(...bins.map(({ count }) => count));
  const [low, high] = [bins[0]?.low ?? 0, bins.at(-1)?.high ?? 1];
  const wordsOf = ({ count, low: from, high: to, open }: RunData['histogram'][number]): string => {
    const span =
      open === 'below'
        ? `below ${amount(to, currency)}`
        : open === 'above'
          ? `of ${amount(from, currency)} and more`
          : `of ${plain(from, high - low)} to ${amount(to, currency)}`;
    return `${count} ${count === 1 ? 'trade' : 'trades'} ${span}`;
  };
  return (
    <>
      <Drawing height={HEIGHT} label="profits of trades by size">
        {(width) => {
          const x = (value: number): number => MARGIN.left + ((value - low) / (high - low)) * (width - MARGIN.left - MARGIN.right);
          const y = (count: number): number =>
            MARGIN.top + COUNT_PX + (1 - count / most) * (HEIGHT - MARGIN.top - COUNT_PX - MARGIN.bottom);
          return (
            <>
              <Grid values={ticks(0, most, 3).filter(Number.isInteger)} y={y} width={width} text={(value) => plain(value, most)} />
              {bins.map((bin) => {
                const wide = Math.max(1, x(bin.high) - x(bin.low) - 1.5);
                return (
                  <g key={bin.low} onPointerEnter={() => say(wordsOf(bin))}>
                    <rect
                      class={bin.high <= 0 ? 'bar-down' : 'bar-up'}
                      x={x(bin.low)}
                      y={y(bin.count)}
                      width={wide}
                      height={y(0) - y(bin.count)}
                    >
                      <title>{wordsOf(bin)}</title>
                    </rect>
                    {bin.count > 0 && wide >= MIN_COUNT_PX && (
                      <text x={x(bin.low) + wide / 2} y={y(bin.count) - 3} text-anchor="middle">
                        {bin.count}
                      </text>
                    )}
                  </g>
                );
              })}
              <line class="zero" x1={x(0)} x2={x(0)} y1={MARGIN.top} y2={y(0)} />
              {apart(ticks(low, high, Math.max(2, Math.floor(width / 110))), x, LABEL_PX).map((value) => (
                <text key={value} x={Math.min(x(value), width - 26)} y={HEIGHT - 6} text-anchor="middle">
                  {plain(value, high - low)}
                </text>
              ))}
            </>
          );
        }}
      </Drawing>
      <p class="readout" aria-live="polite">
        {said === '' ? `across: what a trade made, ${currency}; up: how many did` : said}
      </p>
    </>
  );
}
