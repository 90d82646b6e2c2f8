// The chart of a comparison: the growth of each, each 100 at its start.

const { data, timeText, heldText, moneyText, plain, draw, begin } = globalThis.charts;

const starts = data.runs.map(({ from }) => from);
/** Runs that did not begin together are drawn by the time since each began. */
const isTogether = starts.every((from) => Math.abs(from - starts[0]) < 60_000);
const points = data.runs.map(({ from, stepMs, values }) => ({
  t0: isTogether ? from : 0,
  dt: stepMs,
  low: values,
  high: values,
  last: values,
}));
const endOf = ({ t0, dt, last }) => t0 + dt * (last.length - 1);
// The longest is the one whose points the cursor goes along.
const order = [...points.keys()].sort((a, b) => endOf(points[b]) - endOf(points[a]));

/** Marks of a time axis that counts from the start of each. */
function elapsedTicks(from, to, count) {
  const steps = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000, 864_000, 2_592_000].map((s) => s * 1000);
  const step = steps.find((one) => one >= (to - from) / count) ?? 31_536_000_000;
  const found = [];
  for (let at = step; at <= to; at += step) found.push([at, heldText(at)]);
  return found;
}

function drawOne(figure) {
  if (points.length === 0) return;
  const first = points[order[0]];
  draw(figure, {
    lines: order.map((n) => ({ points: points[n], look: data.runs[n].look })),
    zero: 100,
    from: Math.min(...points.map(({ t0 }) => t0)),
    to: endOf(first),
    label: 'growth of 100',
    axis: plain,
    ...(isTogether ? {} : { ticksOf: elapsedTicks }),
    atText: isTogether ? timeText : heldText,
    say: (n) => {
      const at = first.t0 + n * first.dt;
      return data.runs
        .map(({ letter }, run) => {
          const { t0, dt, last } = points[run];
          const value = last[Math.min(last.length - 1, Math.max(0, Math.round((at - t0) / (dt || 1))))];
          return `${letter} ${moneyText(value)}`;
        })
        .join('  ');
    },
  });
}

begin(() => data.runs.map(({ letter, look }) => [look, letter]), drawOne);

document.getElementById('only').addEventListener('change', ({ target }) => {
  for (const row of document.querySelectorAll('.compared .alike')) row.hidden = target.checked;
});
