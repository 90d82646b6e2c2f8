import type { RunData } from '#report/page/page-data.ts';
import { amount } from '../words/numbers.ts';
import { apart, plain, ticks } from './axis.ts';
import { Drawing, Grid, MARGIN } from './drawing.tsx';

const HEIGHT = 130;
const LABEL_PX = 60;

/** What a run would have made, had each order taken so long. */
export function Latency({ points, currency }: { readonly points: RunData['latencies']; readonly currency: string }) {
  const most = points.at(-1)?.[0] || 1;
  const profits = points.map(([, profit]) => profit);
  const [low, high] = [Math.min(0, ...profits), Math.max(0, ...profits) || 1];
  return (
    <Drawing height={HEIGHT} label="net profit against latency">
      {(width) => {
        const x = (ms: number): number => MARGIN.left + (ms / most) * (width - MARGIN.left - MARGIN.right - 10);
        const y = (value: number): number => MARGIN.top + (1 - (value - low) / (high - low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
        return (
          <>
            <Grid values={ticks(low, high, 3)} y={y} width={width} text={(value) => plain(value, high - low)} />
            <path class="one" d={points.map(([ms, profit], n) => `${n === 0 ? 'M' : 'L'}${x(ms)} ${y(profit)}`).join('')} />
            {points.map(([ms, profit]) => (
              <circle key={ms} class={profit < 0 ? 'bar-down' : 'bar-up'} cx={x(ms)} cy={y(profit)} r={4}>
                <title>{`${ms} ms: ${amount(profit, currency)}`}</title>
              </circle>
            ))}
            {apart(points, ([ms]) => x(ms), LABEL_PX).map(([ms]) => (
              <text key={ms} x={x(ms)} y={HEIGHT - 6} text-anchor="middle">
                {ms} ms
              </text>
            ))}
          </>
        );
      }}
    </Drawing>
  );
}
