// The page's own script: charts, the trades table, light and dark. It fetches nothing.

const data = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = { left: 64, right: 14, top: 8, bottom: 22 };

// --- light and dark: as the reader's system has it, until told otherwise

document.getElementById('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const now = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
});

// --- words

const timeText = (at) => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

function numberText(value, digits = 2) {
  if (value === null || value === undefined || !Number.isFinite(value)) return 'n/a';
  const size = Math.abs(value);
  const places = size === 0 || size >= 1 ? digits : Math.min(8, digits - Math.floor(Math.log10(size)));
  return value.toLocaleString('en', { minimumFractionDigits: Math.min(places, digits), maximumFractionDigits: places });
}

const percentText = (share, digits = 2) => (share === null ? '-' : `${numberText(share * 100, digits)} %`);

function heldText(ms) {
  const s = Math.round(ms / 1000);
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  if (s < 3600) return `${Math.floor(s / 60)}m ${String(s % 60).padStart(2, '0')}s`;
  if (s < 86_400) return `${Math.floor(s / 3600)}h ${String(Math.floor(s / 60) % 60).padStart(2, '0')}m`;
  return `${Math.floor(s / 86_400)}d ${Math.floor(s / 3600) % 24}h`;
}

// --- charts

function element(parent, name, attributes = {}, text = '') {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== '') made.textContent = text;
  parent.append(made);
  return made;
}

/** Round values that divide a span into about `count` parts. */
function ticks(low, high, count) {
  const raw = (high - low) / count;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((one) => one >= raw) ?? raw;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step)
    found.push(Math.abs(value) < step / 1e6 ? 0 : value);
  return found;
}

const SECOND = 1000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400].map((s) => s * SECOND);
const DAY = 86_400 * SECOND;

function timeTicks(from, to, count) {
  const raw = (to - from) / count;
  const step = STEPS.find((one) => one >= raw) ?? Math.ceil(raw / DAY) * DAY;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const text = new Date(at).toISOString();
    found.push([at, step >= DAY || at % DAY === 0 ? text.slice(5, 10) : step < 60 * SECOND ? text.slice(11, 19) : text.slice(11, 16)]);
  }
  return found;
}

/**
 * Draws a chart. `lines` have points, `area` is filled from its values to the top, `marks` are fills. `say` words what is
 * under the cursor, by its place among the points of the first line.
 */
function draw(figure, { lines, area, marks = [], bracket, zero, from, to, label, axis, say }) {
  figure.querySelector(':scope > svg')?.remove();
  const height = figure.classList.contains('small') ? 130 : window.innerWidth <= 560 ? 220 : 280;
  const width = Math.max(200, figure.clientWidth);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.setAttribute('tabindex', '0');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  figure.insertBefore(svg, figure.querySelector('.readout'));

  const first = (lines[0] ?? area).points;
  const values = [
    ...lines.flatMap(({ points }) => [...points.low, ...points.high]),
    ...marks.map(([, , price]) => price),
    ...(bracket ?? []),
  ];
  if (zero !== undefined) values.push(zero);
  if (area) values.push(0, ...area.points.high);
  let low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  let high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const pad = (high - low) * 0.05 || Math.abs(high) * 0.001 || 1;
  if (!area) low -= pad;
  high += pad;
  const across = (at) => MARGIN.left + ((at - from) / Math.max(1, to - from)) * (width - MARGIN.left - MARGIN.right);
  const upright = (value) => MARGIN.top + (1 - (value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  const down = (value) => MARGIN.top + ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  const y = area ? down : upright;

  for (const value of ticks(low, high, height < 150 ? 3 : 5)) {
    element(svg, 'line', { class: 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
    element(svg, 'text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, axis(value, high - low));
  }
  for (const [at, text] of timeTicks(from, to, Math.max(2, Math.floor(width / 110)))) {
    if (across(at) < MARGIN.left + 12 || across(at) > width - 24) continue;
    element(svg, 'text', { x: across(at), y: height - 6, 'text-anchor': 'middle' }, text);
  }
  if (zero !== undefined) element(svg, 'line', { class: 'zero', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(zero), y2: y(zero) });

  const timeOf = (points, n) => points.t0 + n * points.dt;
  const path = (points, values_) =>
    values_.map((value, n) => `${n === 0 ? 'M' : 'L'}${across(timeOf(points, n)).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  if (area) {
    const { points } = area;
    const end = across(timeOf(points, points.high.length - 1));
    element(svg, 'path', {
      class: 'depth',
      d: `M${across(points.t0)} ${y(0)}${path(points, points.high).replace('M', 'L')}L${end} ${y(0)}Z`,
    });
  }
  for (const { points, look, band } of lines) {
    if (band) {
      const back = points.low
        .map((value, n) => `L${across(timeOf(points, n)).toFixed(1)} ${y(value).toFixed(1)}`)
        .reverse()
        .join('');
      element(svg, 'path', { class: 'band', d: `${path(points, points.high)}${back}Z` });
    }
    element(svg, 'path', { class: look, d: path(points, points.last) });
  }
  if (bracket) {
    const [a, middle, b] = bracket.map(y);
    const x = width - MARGIN.right - 5;
    element(svg, 'path', { class: 'coins', d: `M${x} ${a}L${x} ${b}M${x - 5} ${middle}L${x + 5} ${middle}` });
  }
  for (const [at, buys, price, size, order, strategy] of marks) {
    const [x, top] = [across(at), y(price)];
    const mark = element(svg, 'path', {
      class: buys ? 'buy' : 'sell',
      d: buys ? `M${x} ${top + 1}l5 9h-10Z` : `M${x} ${top - 1}l5 -9h-10Z`,
    });
    element(mark, 'title', {}, `${buys ? 'buy' : 'sell'} ${size} at ${price}, ${strategy}, order ${order}, ${timeText(at)}`);
  }

  const cursor = element(svg, 'line', { class: 'cursor', y1: MARGIN.top, y2: height - MARGIN.bottom, visibility: 'hidden' });
  const readout = figure.querySelector('.readout');
  const count = first.last.length;
  let place = count - 1;
  const show = (n) => {
    place = Math.max(0, Math.min(count - 1, n));
    const at = timeOf(first, place);
    cursor.setAttribute('x1', across(at));
    cursor.setAttribute('x2', across(at));
    cursor.setAttribute('visibility', 'visible');
    readout.textContent = `${timeText(at)}  ${say(place)}`;
  };
  svg.addEventListener('pointermove', (event) => {
    const at = from + ((event.offsetX - MARGIN.left) / (width - MARGIN.left - MARGIN.right)) * (to - from);
    show(Math.round((at - first.t0) / (first.dt || 1)));
  });
  svg.addEventListener('pointerleave', () => cursor.setAttribute('visibility', 'hidden'));
  svg.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -50, PageDown: 50, Home: -count, End: count }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    show(place + by);
  });
}

/** Values of an axis with as many places as tell neighbours apart. */
const plain = (value, span) =>
  value.toLocaleString('en', { maximumFractionDigits: Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(span || 1)))) });
const percent = (value, span) => `${plain(value * 100, span * 100)} %`;

const money = (value) => `${numberText(value)} ${data.currency}`;

const CHARTS = {
  equity: () => {
    const { equity, hold, coins, capital, from, to } = data;
    const lines = [{ points: equity, look: 'one', band: true }, ...(hold && hold.last.length > 0 ? [{ points: hold, look: 'two' }] : [])];
    const held = (n) => {
      const at = equity.t0 + n * equity.dt;
      const value = hold && hold.last.length > 0 ? hold.last[Math.round((at - hold.t0) / (hold.dt || 1))] : undefined;
      return value === undefined ? '' : `, bought and held ${money(value)}`;
    };
    return {
      lines,
      bracket: coins,
      zero: capital,
      from,
      to,
      label: 'equity over time',
      axis: plain,
      say: (n) => `${money(equity.last[n])}${held(n)}`,
    };
  },
  falls: () => {
    const { falls, from, to } = data;
    return {
      lines: [],
      area: { points: falls },
      from,
      to,
      label: 'equity drawdown over time',
      axis: percent,
      say: (n) => percentText(falls.high[n], 3),
    };
  },
  price: (figure) => {
    const { points, marks, product } = data.prices[Number(figure.dataset.index)];
    const say = (n) => `${points.last[n]} (${points.low[n]} to ${points.high[n]})`;
    return {
      lines: [{ points, look: 'one', band: true }],
      marks,
      from: data.from,
      to: data.to,
      label: `price of ${product} over time`,
      axis: plain,
      say,
    };
  },
};

const KEYS = {
  equity: [
    ['one', 'the run'],
    ['two', 'bought and held'],
    ['coins', 'coin flips, 5 to 95 %'],
  ],
  price: [
    ['buy', 'bought'],
    ['sell', 'sold'],
  ],
};

function drawLatency(figure) {
  const from = 0;
  const most = data.latencies.at(-1)[0] || 1;
  figure.querySelector(':scope > svg')?.remove();
  const [width, height] = [Math.max(200, figure.clientWidth), 130];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'net profit against latency');
  figure.insertBefore(svg, figure.querySelector('.readout'));
  const profits = data.latencies.map(([, profit]) => profit);
  const low = Math.min(0, ...profits);
  const high = Math.max(0, ...profits) || 1;
  const x = (ms) => MARGIN.left + ((ms - from) / most) * (width - MARGIN.left - MARGIN.right - 10);
  const y = (value) => MARGIN.top + (1 - (value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  for (const value of ticks(low, high, 3)) {
    element(svg, 'line', { class: value === 0 ? 'zero' : 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
    element(svg, 'text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, plain(value, high - low));
  }
  element(svg, 'path', {
    class: 'one',
    d: data.latencies.map(([ms, profit], n) => `${n === 0 ? 'M' : 'L'}${x(ms)} ${y(profit)}`).join(''),
  });
  let free = Number.NEGATIVE_INFINITY;
  for (const [ms, profit] of data.latencies) {
    const dot = element(svg, 'circle', { class: profit < 0 ? 'sell' : 'buy', cx: x(ms), cy: y(profit), r: 4 });
    element(dot, 'title', {}, `${ms} ms: ${money(profit)}`);
    if (x(ms) < free) continue;
    element(svg, 'text', { x: x(ms), y: height - 6, 'text-anchor': 'middle' }, `${ms} ms`);
    free = x(ms) + 60;
  }
}

function drawAll() {
  for (const figure of document.querySelectorAll('[data-chart]')) {
    const kind = figure.dataset.chart;
    if (kind === 'latency') drawLatency(figure);
    else draw(figure, CHARTS[kind](figure));
  }
}

for (const figure of document.querySelectorAll('[data-chart]')) {
  const readout = document.createElement('div');
  readout.className = 'readout muted';
  readout.setAttribute('aria-live', 'polite');
  figure.append(readout);
  const key = document.createElement('div');
  key.className = 'key';
  for (const [look, text] of KEYS[figure.dataset.chart] ?? []) {
    if ((look === 'two' && !data.hold?.last.length) || (look === 'coins' && !data.coins)) continue;
    const one = document.createElement('span');
    const sign = document.createElementNS(SVG, 'svg');
    sign.setAttribute('class', 'sign');
    sign.setAttribute('viewBox', '0 0 18 12');
    sign.setAttribute('aria-hidden', 'true');
    const shape = { buy: 'M9 1l5 9h-10Z', sell: 'M9 11l5 -9h-10Z', coins: 'M9 1L9 11M4 6L14 6' }[look] ?? 'M0 6L18 6';
    element(sign, 'path', { class: look, d: shape });
    one.append(sign, text);
    key.append(one);
  }
  figure.querySelector('figcaption').after(key);
}
drawAll();
let waiting = 0;
addEventListener('resize', () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(drawAll);
});

// --- trades: sorted by a click on a heading, filtered by words

const PAGE = 25;
const RIGHT = new Set([4, 5, 6, 7, 8, 9, 10]);
const SIGNED = new Set([9, 10]);
const priceText = (price) => String(Number(price.toPrecision(10)));
const WORDS = [
  timeText,
  String,
  String,
  String,
  String,
  priceText,
  priceText,
  heldText,
  numberText,
  numberText,
  percentText,
  String,
  String,
];

function tradesTable(tableElement) {
  const body = tableElement.tBodies[0];
  const headings = [...tableElement.tHead.rows[0].cells];
  const filter = document.getElementById('filter');
  const more = document.getElementById('more');
  const shown = document.getElementById('shown');
  const rows = data.trades.map((values) => ({
    values,
    text: [1, 2, 3, 11, 12]
      .map((n) => values[n])
      .join(' ')
      .toLowerCase(),
  }));
  let order = { column: 0, up: false };
  let most = PAGE;

  function render() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter(({ text }) => words.every((word) => text.includes(word)));
    const { column, up } = order;
    found.sort(({ values: a }, { values: b }) => {
      const [x, y] = [a[column], b[column]];
      const by =
        typeof x === 'number' || typeof y === 'number'
          ? (x ?? Number.NEGATIVE_INFINITY) - (y ?? Number.NEGATIVE_INFINITY)
          : x < y
            ? -1
            : x > y
              ? 1
              : 0;
      return up ? by : -by;
    });
    body.replaceChildren(
      ...found.slice(0, most).map(({ values }) => {
        const row = document.createElement('tr');
        for (const [n, value] of values.entries()) {
          const cell = row.insertCell();
          cell.textContent = WORDS[n](value);
          if (RIGHT.has(n)) cell.classList.add('n');
          if (SIGNED.has(n) && value !== 0 && value !== null) cell.classList.add(value < 0 ? 'down' : 'up');
        }
        return row;
      }),
    );
    for (const [n, heading] of headings.entries())
      heading.setAttribute('aria-sort', n !== column ? 'none' : up ? 'ascending' : 'descending');
    const profit = found.reduce((sum, { values }) => sum + values[9], 0);
    shown.textContent = `${found.length} of ${rows.length}, profit ${money(profit)}`;
    more.hidden = found.length <= most;
  }

  for (const [n, heading] of headings.entries()) {
    heading.firstElementChild.addEventListener('click', () => {
      order = { column: n, up: order.column === n ? !order.up : typeof data.trades[0]?.[n] !== 'number' };
      render();
    });
  }
  filter.addEventListener('input', () => {
    most = PAGE;
    render();
  });
  more.addEventListener('click', () => {
    most += 4 * PAGE;
    render();
  });
  render();
}

const tradeElement = document.getElementById('trade-table');
if (tradeElement) tradesTable(tradeElement);
