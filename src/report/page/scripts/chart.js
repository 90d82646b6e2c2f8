// What all pages of reports share: words, charts, light and dark. It fetches nothing.

const data = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';
/** Room that a dot takes. */
const DOT_PX = 6;
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

/** Money by the rule of `moneyText` in `figures.ts`: two decimals; below one three digits that count. */
function moneyText(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return 'n/a';
  const size = Number(Math.abs(value).toPrecision(3));
  const places = size === 0 || size >= 1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(size)));
  return value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places });
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
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= raw) ?? raw;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step)
    found.push(Math.abs(value) < step / 1e6 ? 0 : value);
  return found;
}

const SECOND = 1000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400].map((s) => s * SECOND);
const DAY = 86_400 * SECOND;

/** Moments that divide a time into about `count` parts; dates have their year where it is not the same throughout. */
function timeTicks(from, to, count) {
  const raw = (to - from) / count;
  const step = STEPS.find((one) => one >= raw) ?? Math.ceil(raw / DAY) * DAY;
  const begin = new Date(from).getUTCFullYear() === new Date(to).getUTCFullYear() ? 5 : 0;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const text = new Date(at).toISOString();
    found.push([at, step >= DAY || at % DAY === 0 ? text.slice(begin, 10) : step < 60 * SECOND ? text.slice(11, 19) : text.slice(11, 16)]);
  }
  return found;
}

/** The part of a series that lies in a time, one point more on each side so that its line reaches the edges. */
function within(points, from, to) {
  const { t0, dt, low, high, last } = points;
  if (dt <= 0 || last.length === 0) return points;
  const first = Math.max(0, Math.floor((from - t0) / dt) - 1);
  const end = Math.min(last.length, Math.ceil((to - t0) / dt) + 2);
  const cut = (values) => values.slice(first, Math.max(first + 1, end));
  return { t0: t0 + first * dt, dt, low: cut(low), high: cut(high), last: cut(last) };
}

/** Places of values by the parts that a line draws without a break. */
function unbroken(values) {
  const parts = [];
  for (const [n, value] of values.entries()) {
    if (value === null) continue;
    if (n === 0 || values[n - 1] === null) parts.push([]);
    parts.at(-1).push(n);
  }
  return parts;
}

/** Marks that can be told apart: of those of a side that would lie on each other the first, with how many it stands for. Times ascend. */
function apart(marks, placeOf, px) {
  const kept = [];
  const near = new Map();
  for (const mark of marks) {
    const [x, y] = placeOf(mark);
    const side = (near.get(mark[1]) ?? []).filter((one) => x - one.x < px);
    const known = side.find((one) => Math.abs(one.y - y) < 2 * px);
    if (known) known.count += 1;
    else {
      const one = { mark, x, y, count: 1 };
      side.push(one);
      kept.push(one);
    }
    near.set(mark[1], side);
  }
  return kept;
}

/**
 * Draws a chart. `lines` have points, `area` is filled from its values to the top, `marks` are fills, `dots` values at times alone, which `joined` ones are not,
 * `crosses` refused intents, `trade` the one that was chosen. `say` words what is under the cursor, by its place among the points of the first line.
 */
function draw(figure, spec) {
  const { from, to, label } = spec;
  const inView = ([at]) => at >= from && at <= to;
  const shown = {
    ...spec,
    lines: spec.lines.map((line) => ({ ...line, points: within(line.points, from, to) })),
    marks: (spec.marks ?? []).filter(inView),
    crosses: (spec.crosses ?? []).filter(inView),
    dots: (spec.dots ?? []).map((one) => ({ ...one, points: one.points.filter(inView) })),
  };
  const { svg, width, height } = canvas(figure, figure.classList.contains('small') ? 130 : window.innerWidth <= 560 ? 220 : 280, label);
  svg.setAttribute('tabindex', '0');
  const plane = planeOf(shown, width, height);
  drawAxes(svg, shown, plane);
  const plot = framed(figure, svg, plane);
  if (shown.area) drawArea(plot, shown.area, plane);
  for (const line of shown.lines) drawLine(plot, line, plane);
  drawDots(plot, shown.dots, plane);
  if (shown.bracket) drawBracket(plot, shown.bracket, plane);
  drawCrosses(plot, shown.crosses, plane);
  if (shown.trade) drawTrade(plot, shown.trade, plane);
  drawMarks(plot, shown, plane);
  followCursor(figure, svg, { spec, shown, plane });
}

/** Where times and values lie: the room that everything shown takes, and a little more. */
function planeOf({ lines, marks, crosses, dots, bracket, trade, zero, area, from, to }, width, height) {
  const values = [
    ...lines.flatMap(({ points }) => [...points.low, ...points.high]).filter((value) => value !== null),
    ...marks.map(([, , price]) => price),
    ...crosses.map(([, , price]) => price),
    ...dots.flatMap(({ points }) => points.map(([, value]) => value)),
    ...(bracket ?? []),
    ...(trade ? [trade.entry, trade.exit] : []),
    ...(zero === undefined ? [] : [zero]),
    ...(area ? [0, ...area.points.high] : []),
  ];
  let low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  let high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const pad = (high - low) * 0.05 || Math.abs(high) * 0.001 || 1;
  if (!area) low -= pad;
  high += pad;
  const share = (value) => (area ? (value - low) / (high - low) : 1 - (value - low) / (high - low));
  return {
    ...{ width, height, low, high },
    across: (at) => MARGIN.left + ((at - from) / Math.max(1, to - from)) * (width - MARGIN.left - MARGIN.right),
    y: (value) => MARGIN.top + share(value) * (height - MARGIN.top - MARGIN.bottom),
  };
}

function drawAxes(svg, { axis, zero, from, to, ticksOf = timeTicks }, { width, height, low, high, across, y }) {
  for (const value of ticks(low, high, height < 150 ? 3 : 5)) {
    element(svg, 'line', { class: 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
    element(svg, 'text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, axis(value, high - low));
  }
  for (const [at, text] of ticksOf(from, to, Math.max(2, Math.floor(width / 110)))) {
    if (across(at) < MARGIN.left + 12 || across(at) > width - MARGIN.right - 3 - text.length * 3) continue;
    element(svg, 'text', { x: across(at), y: height - 6, 'text-anchor': 'middle' }, text);
  }
  if (zero !== undefined) element(svg, 'line', { class: 'zero', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(zero), y2: y(zero) });
}

/** Where lines and marks are drawn: what a zoom leaves out is cut at the frame. */
function framed(figure, svg, { width, height }) {
  const clip = `clip-${[...document.querySelectorAll('[data-chart]')].indexOf(figure)}`;
  const defs = element(element(svg, 'defs'), 'clipPath', { id: clip });
  element(defs, 'rect', { x: MARGIN.left, y: 0, width: width - MARGIN.left - MARGIN.right, height });
  return element(svg, 'g', { 'clip-path': `url(#${clip})` });
}

const timeOf = (points, n) => points.t0 + n * points.dt;

const placeOf = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A line is broken where there is no value, as over a weekend. */
const path = (points, values, { across, y }) =>
  values
    .map((value, n) => {
      const begins = n === 0 || values[n - 1] === null;
      return value === null ? '' : `${begins ? 'M' : 'L'}${placeOf(across(timeOf(points, n)), y(value))}`;
    })
    .join('');

function drawArea(plot, { points }, plane) {
  const { across, y } = plane;
  const end = across(timeOf(points, points.high.length - 1));
  const top = path(points, points.high, plane).replace('M', 'L');
  element(plot, 'path', { class: 'depth', d: `M${across(points.t0)} ${y(0)}${top}L${end} ${y(0)}Z` });
}

function drawLine(plot, { points, look, band }, plane) {
  const { across, y } = plane;
  if (band) {
    const place = (values, n) => placeOf(across(timeOf(points, n)), y(values[n]));
    const d = unbroken(points.high).map((part) => {
      const there = part.map((n) => place(points.high, n));
      const back = part.map((n) => place(points.low, n)).reverse();
      return `M${[...there, ...back].join('L')}Z`;
    });
    element(plot, 'path', { class: 'band', d: d.join('') });
  }
  element(plot, 'path', { class: look, d: path(points, points.last, plane) });
}

/** What lies between two values was never computed: a line joins those alone whose dots would touch, if they are not to be joined anyway. */
function drawDots(plot, dots, { across, y, width }) {
  const signals = dots.map((one) => {
    const places = one.points.map(([at, value]) => [across(at), y(value)]);
    return { ...one, places, isJoined: places.map(([x], n) => n > 0 && (one.joined === true || x - places[n - 1][0] <= DOT_PX)) };
  });
  for (const { look, places, isJoined } of signals) {
    const d = places.map(([x, v], n) => (isJoined[n] || isJoined[n + 1] ? `${isJoined[n] ? 'L' : 'M'}${placeOf(x, v)}` : ''));
    if (d.some(Boolean)) element(plot, 'path', { class: `${look} thin`, d: d.join('') });
  }
  // Below the marks, which many a value lies beside; of signals with one value the first is a ring round the next.
  for (const [order, { points, look, name, places, isJoined }] of signals.entries()) {
    const areFew = places.length * DOT_PX <= width;
    for (const [n, [x, v]] of places.entries()) {
      if (!areFew && (isJoined[n] || isJoined[n + 1])) continue;
      const dot = element(plot, 'circle', { class: `${look} dot`, cx: x, cy: v, r: Math.max(1.6, 3.2 - 0.8 * order) });
      element(dot, 'title', {}, `${name} ${points[n][1]}, ${timeText(points[n][0])}`);
    }
  }
}

function drawBracket(plot, bracket, { width, y }) {
  const [a, middle, b] = bracket.map(y);
  const x = width - MARGIN.right - 5;
  element(plot, 'path', { class: 'coins', d: `M${x} ${a}L${x} ${b}M${x - 5} ${middle}L${x + 5} ${middle}` });
}

const moreHere = (count) => (count > 1 ? `, and ${count - 1} more here` : '');

function drawCrosses(plot, crosses, { across, y }) {
  for (const { mark, x, y: top, count } of apart(crosses, ([at, , price]) => [across(at), y(price)], 8)) {
    const [at, buys, price, reason, strategy] = mark;
    const cross = element(plot, 'path', { class: 'cross', d: `M${x - 3} ${top - 3}l6 6m0 -6l-6 6` });
    const text = `${buys ? 'buy' : 'sell'} at ${price} refused: ${reason}, ${strategy}, ${timeText(at)}${moreHere(count)}`;
    element(cross, 'title', {}, text);
  }
}

function drawTrade(plot, { openedAt, closedAt, profit, entry, exit }, { across, y }) {
  const [x1, x2] = [across(openedAt), across(closedAt)];
  element(plot, 'line', { class: `trade ${profit < 0 ? 'lost' : 'won'}`, x1, x2, y1: y(entry), y2: y(exit) });
  for (const [cx, value] of [
    [x1, entry],
    [x2, exit],
  ])
    element(plot, 'circle', { class: 'chosen', cx, cy: y(value), r: 9 });
}

function drawMarks(plot, { marks, onMark }, { across, y }) {
  for (const { mark, x, y: top, count } of apart(marks, ([at, , price]) => [across(at), y(price)], 7)) {
    const [at, buys, price, size, order, strategy] = mark;
    const shape = element(plot, 'path', {
      class: buys ? 'buy' : 'sell',
      d: buys ? `M${x} ${top + 1}l5 9h-10Z` : `M${x} ${top - 1}l5 -9h-10Z`,
    });
    const text = `${buys ? 'buy' : 'sell'} ${size} at ${price}, ${strategy}, order ${order}, ${timeText(at)}${moreHere(count)}`;
    element(shape, 'title', {}, text);
    if (!onMark) continue;
    shape.classList.add('live');
    shape.addEventListener('click', () => onMark(order));
  }
}

/** Words what is under the cursor, which pointer and keys move. */
function followCursor(figure, svg, { spec, shown, plane }) {
  const { lines, area, from, to, say, atText = timeText } = shown;
  const { across, width, height } = plane;
  const first = (lines[0] ?? area ?? { points: { t0: from, dt: 0, last: [], low: [], high: [] } }).points;
  const cursor = element(svg, 'line', { class: 'cursor', y1: MARGIN.top, y2: height - MARGIN.bottom, visibility: 'hidden' });
  const readout = figure.querySelector('.readout');
  const count = first.last.length;
  if (count === 0) return;
  let place = count - 1;
  const offset = lines.length > 0 ? Math.round((first.t0 - spec.lines[0].points.t0) / (first.dt || 1)) : 0;
  const show = (n) => {
    place = Math.max(0, Math.min(count - 1, n));
    const at = timeOf(first, place);
    cursor.setAttribute('x1', across(at));
    cursor.setAttribute('x2', across(at));
    cursor.setAttribute('visibility', 'visible');
    readout.textContent = `${atText(at)}  ${say(place + offset)}`;
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

const money = (value) => `${moneyText(value)} ${data.currency}`;

/** An empty drawing of a figure, as wide as it is; what was drawn before goes. */
function canvas(figure, height, label) {
  figure.querySelector(':scope > svg')?.remove();
  const width = Math.max(200, figure.clientWidth);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  figure.insertBefore(svg, figure.querySelector('.readout'));
  return { svg, width, height };
}

/** The sign of a line or mark as it stands in a key. */
function sign(look, shape = 'M0 6L18 6') {
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('class', 'sign');
  made.setAttribute('viewBox', '0 0 18 12');
  made.setAttribute('aria-hidden', 'true');
  element(made, 'path', { class: look, d: shape });
  return made;
}

/** Gives each figure its key and the line that words what is under the cursor, draws all, and draws again as the window changes. */
function begin(keysOf, drawOne, isMine = () => true) {
  const figures = [...document.querySelectorAll('[data-chart]')].filter(isMine);
  for (const figure of figures) {
    const readout = document.createElement('div');
    readout.className = 'readout muted';
    readout.setAttribute('aria-live', 'polite');
    figure.append(readout);
    const key = document.createElement('div');
    key.className = 'key';
    for (const [look, text, shape] of keysOf(figure)) {
      const one = document.createElement('span');
      one.append(sign(look, shape), text);
      key.append(one);
    }
    figure.querySelector('figcaption').after(key);
  }
  const drawAll = () => figures.forEach(drawOne);
  drawAll();
  let waiting = 0;
  addEventListener('resize', () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(drawAll);
  });
  addEventListener('beforeprint', drawAll);
}

// Scripts of pages are modules of their own: what they share is here.
globalThis.charts = {
  data,
  MARGIN,
  element,
  ticks,
  timeTicks,
  timeText,
  percentText,
  heldText,
  moneyText,
  numberText,
  plain,
  percent,
  money,
  draw,
  canvas,
  begin,
};
