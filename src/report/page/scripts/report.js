// The charts of a report and its table of trades; each leads to the other.

const { data, MARGIN, element, ticks, timeText, percentText, heldText, moneyText, plain, percent, money, draw, canvas, begin } =
  globalThis.charts;
const SIGNALS = ['sig0', 'sig1', 'sig2', 'sig3'];
const DOT = 'M6.5 6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z';
const SHOWN_ALONE = 3;

/** What a price chart shows now, by its place: the time in view, the chosen trade, whether refusals are marked. */
const views = data.prices.map(() => ({ from: data.from, to: data.to, trade: null, refusals: false }));

/** Signals on the scale of the prices are drawn on them; those of another scale stand below, each on a scale of its own. */
function isOnPrice({ points }, { low, high }) {
  const [least, most] = [Math.min(...low.filter((value) => value !== null)), Math.max(...high)];
  const room = (most - least) * 1.5;
  return points.filter(([, value]) => value < least - room || value > most + room).length <= points.length / 10;
}

const signalsOf = (n, on) => data.prices[n].signals.filter((one) => isOnPrice(one, data.prices[n].points) === on);

/** Marks with those of the chosen trade that were left out of them. */
function withFillsOf(trade, marks) {
  const leftOut = (trade?.fills ?? []).filter(([, , , , order]) => !marks.some((mark) => mark[4] === order));
  return leftOut.length === 0 ? marks : [...marks, ...leftOut].sort((a, b) => a[0] - b[0]);
}

const CHARTS = {
  equity: () => {
    const { equity, hold, coins, capital, from, to } = data;
    const lines = [{ points: equity, look: 'one', band: true }, ...(hold && hold.last.length > 0 ? [{ points: hold, look: 'two' }] : [])];
    const held = (n) => {
      const at = equity.t0 + n * equity.dt;
      const value = hold && hold.last.length > 0 ? hold.last[Math.round((at - hold.t0) / (hold.dt || 1))] : undefined;
      return value === undefined ? '' : `, its largest position held ${money(value)}`;
    };
    return {
      lines,
      bracket: coins,
      zero: capital,
      from,
      to,
      label: 'growth of the initial capital over time',
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
    const n = Number(figure.dataset.index);
    const { points, marks, product, refusals } = data.prices[n];
    const { from, to, trade, refusals: shown } = views[n];
    return {
      lines: [{ points, look: 'one', band: true }],
      dots: signalsOf(n, true).map((one, place) => ({ ...one, look: SIGNALS[place % SIGNALS.length] })),
      marks: withFillsOf(trade, marks),
      crosses: shown ? refusals : [],
      trade,
      onMark: toRow,
      from,
      to,
      label: `price of ${product} over time`,
      axis: plain,
      say: (place) => (points.last[place] === null ? 'no quotes' : `${points.last[place]} (${points.low[place]} to ${points.high[place]})`),
    };
  },
  signal: (figure) => {
    const [n, place] = figure.dataset.index.split(' ').map(Number);
    const one = signalsOf(n, false)[place];
    const { from, to } = views[n];
    const values = one.points.map(([, value]) => value);
    // The dots are the series: the cursor goes from one to the next in equal steps of time.
    return {
      lines: [],
      dots: [{ ...one, look: 'sig0' }],
      from,
      to,
      label: `signal ${one.name} over time`,
      axis: plain,
      say: (p) => String(values[p]),
    };
  },
};

function keysOf(figure) {
  const kind = figure.dataset.chart;
  if (kind === 'equity')
    return [
      ['one', 'the run'],
      ...(data.hold?.last.length ? [['two', 'its largest position, held throughout']] : []),
      ...(data.coins ? [['coins', 'coin flips, 5 to 95 %', 'M9 1L9 11M4 6L14 6']] : []),
    ];
  if (kind !== 'price') return [];
  const n = Number(figure.dataset.index);
  return [
    ['buy', 'bought', 'M9 1l5 9h-10Z'],
    ['sell', 'sold', 'M9 11l5 -9h-10Z'],
    ...signalsOf(n, true).map(({ name, strategy }, place) => [`${SIGNALS[place % SIGNALS.length]} dot`, `${strategy} ${name}`, DOT]),
  ];
}

function drawLatency(figure) {
  const most = data.latencies.at(-1)[0] || 1;
  const { svg, width, height } = canvas(figure, 130, 'net profit against latency');
  const profits = data.latencies.map(([, profit]) => profit);
  const low = Math.min(0, ...profits);
  const high = Math.max(0, ...profits) || 1;
  const x = (ms) => MARGIN.left + (ms / most) * (width - MARGIN.left - MARGIN.right - 10);
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

/** How many trades made how much: bars of equal width, those that lost to the left of 0. */
function drawHistogram(figure) {
  const { svg, width, height } = canvas(figure, 190, 'profits of trades by size');
  const bins = data.histogram;
  const most = Math.max(...bins.map(({ count }) => count));
  const [low, high] = [bins[0].low, bins.at(-1).high];
  const x = (value) => MARGIN.left + ((value - low) / (high - low)) * (width - MARGIN.left - MARGIN.right);
  const y = (count) => MARGIN.top + 12 + (1 - count / most) * (height - MARGIN.top - 12 - MARGIN.bottom);
  for (const value of ticks(0, most, 3).filter(Number.isInteger)) {
    element(svg, 'line', { class: 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
    element(svg, 'text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, plain(value, most));
  }
  const readout = figure.querySelector('.readout');
  for (const bin of bins) {
    const wide = Math.max(1, x(bin.high) - x(bin.low) - 1.5);
    const span =
      {
        below: `below ${money(bin.high)}`,
        above: `of ${money(bin.low)} and more`,
      }[bin.open] ?? `of ${plain(bin.low, high - low)} to ${money(bin.high)}`;
    const words = `${bin.count} ${bin.count === 1 ? 'trade' : 'trades'} ${span}`;
    const bar = element(svg, 'rect', {
      class: bin.high <= 0 ? 'bar-down' : 'bar-up',
      x: x(bin.low),
      y: y(bin.count),
      width: wide,
      height: y(0) - y(bin.count),
    });
    element(bar, 'title', {}, words);
    bar.addEventListener('pointerenter', () => {
      readout.textContent = words;
    });
    if (bin.count > 0 && wide >= 18)
      element(svg, 'text', { x: x(bin.low) + wide / 2, y: y(bin.count) - 3, 'text-anchor': 'middle' }, String(bin.count));
  }
  element(svg, 'line', { class: 'zero', x1: x(0), x2: x(0), y1: MARGIN.top, y2: y(0) });
  let free = Number.NEGATIVE_INFINITY;
  for (const value of ticks(low, high, Math.max(2, Math.floor(width / 110)))) {
    if (x(value) < free) continue;
    element(svg, 'text', { x: Math.min(x(value), width - 26), y: height - 6, 'text-anchor': 'middle' }, plain(value, high - low));
    free = x(value) + 60;
  }
}

const OWN = { latency: drawLatency, histogram: drawHistogram };

function drawOne(figure) {
  const kind = figure.dataset.chart;
  if (OWN[kind]) OWN[kind](figure);
  else draw(figure, CHARTS[kind](figure));
}

/** Signals of another scale get a small chart each below the price. */
for (const figure of document.querySelectorAll('[data-chart="price"]')) {
  const n = Number(figure.dataset.index);
  const own = signalsOf(n, false);
  for (const [place, { name, strategy }] of own.slice(0, SHOWN_ALONE).entries()) {
    const below = document.createElement('figure');
    below.className = 'chart small';
    below.dataset.chart = 'signal';
    below.dataset.index = `${n} ${place}`;
    const more = place === SHOWN_ALONE - 1 && own.length > SHOWN_ALONE ? `; ${own.length - SHOWN_ALONE} more signals are not drawn` : '';
    const caption = document.createElement('figcaption');
    caption.textContent = `${strategy} ${name}, when it decided${more}`;
    below.append(caption);
    figure.parentElement.append(below);
  }
}

begin(keysOf, drawOne, ({ dataset }) => OWN[dataset.chart] !== undefined || CHARTS[dataset.chart] !== undefined);

const figureOf = (n) => document.querySelector(`[data-chart="price"][data-index="${n}"]`);
const drawPrice = (n) => {
  for (const figure of document.querySelectorAll('[data-chart="price"], [data-chart="signal"]'))
    if (figure.dataset.index.split(' ')[0] === String(n)) drawOne(figure);
};

// --- zoom, refusals, and the chosen trade

function button(parent, text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  parent.append(made);
  return made;
}

/** Narrows a price chart to a time, not less than some stretches of it, or widens it to all. */
function zoom(n, from, to) {
  const least = (data.prices[n].points.dt || 1) * 6;
  const middle = (from + to) / 2;
  const half = Math.max(least, to - from) / 2;
  const begins = Math.max(data.from, Math.min(middle - half, data.to - 2 * half));
  Object.assign(views[n], { from: begins, to: Math.min(data.to, begins + 2 * half) });
  drawPrice(n);
}

/** The middle of those times in view at which there were quotes, so that nobody comes closer to a weekend. */
function quotedMiddle(n, from, to) {
  const { t0, dt, last } = data.prices[n].points;
  const times = last.flatMap((value, place) => (value === null ? [] : [t0 + place * dt])).filter((at) => at >= from && at <= to);
  return times[times.length >> 1] ?? (from + to) / 2;
}

for (const n of views.keys()) {
  const figure = figureOf(n);
  const bar = document.createElement('div');
  bar.className = 'tools';
  const by = (times) => () => {
    const { from, to, trade } = views[n];
    const middle = trade ? (trade.openedAt + trade.closedAt) / 2 : times < 1 ? quotedMiddle(n, from, to) : (from + to) / 2;
    const half = ((to - from) * times) / 2;
    zoom(n, middle - half, middle + half);
  };
  const move = (share) => () => {
    const { from, to } = views[n];
    zoom(n, from + (to - from) * share, to + (to - from) * share);
  };
  button(bar, 'closer', by(0.4));
  button(bar, 'wider', by(2.5));
  button(bar, 'earlier', move(-0.5));
  button(bar, 'later', move(0.5));
  button(bar, 'whole time', () => {
    views[n].trade = null;
    zoom(n, data.from, data.to);
  });
  const { refusals, refusalsLeftOut } = data.prices[n];
  if (refusals.length > 0) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.addEventListener('change', () => {
      views[n].refusals = box.checked;
      drawPrice(n);
    });
    const all = refusals.length + refusalsLeftOut;
    label.append(box, refusalsLeftOut > 0 ? ` ${all} refused, ${refusals.length} of them marked` : ` ${all} refused`);
    if (refusalsLeftOut > 0) label.title = 'A refusal that was repeated has a mark at its first time and at its last';
    bar.append(label);
  }
  figure.querySelector('.key').after(bar);
}

/** Shows a trade of the table on the chart of its product, with as much time around it as it took. */
function toChart(row) {
  const { product, openedAt, closedAt, entry, exit, profit, strategy, fills } = row;
  const n = data.prices.findIndex((one) => one.product === product);
  if (n < 0) return;
  views[n].trade = { openedAt, closedAt, entry, exit, profit, fills };
  const around = Math.max(closedAt - openedAt, 1000);
  zoom(n, openedAt - around, closedAt + around);
  const figure = figureOf(n);
  const readout = figure.querySelector('.readout');
  readout.textContent = `${strategy}: ${timeText(openedAt)} to ${timeText(closedAt)}, profit ${money(profit)} `;
  button(readout, 'to its row', () => toRow(row.exitOrder)).className = 'link';
  figure.scrollIntoView({ block: 'center', behavior: 'instant' });
  figure.querySelector('svg').focus({ preventScroll: true });
}

// --- trades: sorted by a click on a heading, filtered by words

const PAGE = 25;
const RIGHT = new Set([4, 5, 6, 7, 8, 9, 10]);
const SIGNED = new Set([9, 10]);
const priceText = (price) => String(Number(price.toPrecision(10)));
const WORDS = [timeText, String, String, String, String, priceText, priceText, heldText, moneyText, moneyText, percentText, String, String];

/** Both ends of a row as marks of a chart. */
function fillsOf([closedAt, strategy, , side, size, entry, exit, heldMs, , , , , orders]) {
  const [entryOrder, exitOrder] = orders.split(' ');
  const buys = side === 'long' ? 1 : 0;
  return [
    [closedAt - heldMs, buys, entry, size, entryOrder, strategy],
    [closedAt, 1 - buys, exit, size, exitOrder, strategy],
  ];
}

/** Numbers by size, nothing below all of them, texts by their letters. */
function byValue(x, y) {
  if (typeof x === 'number' || typeof y === 'number') return (x ?? Number.NEGATIVE_INFINITY) - (y ?? Number.NEGATIVE_INFINITY);
  return x < y ? -1 : x > y ? 1 : 0;
}

function tradeRow({ values, trade }, isChosen) {
  const row = document.createElement('tr');
  if (isChosen) row.className = 'chosen-row';
  for (const [n, value] of values.entries()) {
    const cell = row.insertCell();
    const text = WORDS[n](value);
    if (n === 0 && data.prices.some(({ product }) => product === trade.product))
      Object.assign(
        button(cell, text, () => toChart(trade)),
        { title: 'show it on the chart', className: 'link' },
      );
    else cell.textContent = text;
    if (RIGHT.has(n)) cell.classList.add('n');
    if (SIGNED.has(n) && value !== 0 && value !== null) cell.classList.add(value < 0 ? 'down' : 'up');
  }
  return row;
}

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
    trade: {
      ...{ closedAt: values[0], strategy: values[1], product: values[2], entry: values[5], exit: values[6], profit: values[9] },
      ...{ openedAt: values[0] - values[7], exitOrder: values[12].split(' ')[1], fills: fillsOf(values) },
    },
  }));
  let chosen = null;
  let order = { column: 0, up: false };
  let most = PAGE;

  function render() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter(({ text }) => words.every((word) => text.includes(word)));
    const { column, up } = order;
    found.sort(({ values: a }, { values: b }) => (up ? byValue(a[column], b[column]) : -byValue(a[column], b[column])));
    if (chosen) most = Math.max(most, found.findIndex(({ values }) => values === chosen) + 1);
    body.replaceChildren(...found.slice(0, most).map((one) => tradeRow(one, one.values === chosen)));
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

  /** Shows the row of the trade that an order opened or closed, whatever is filtered. */
  return (order) => {
    const place = data.trades.findIndex((values) => values[12].split(' ').includes(order));
    const row = rows[place];
    if (!row) return;
    chosen = row.values;
    filter.value = '';
    render();
    const shownRow = body.querySelector('.chosen-row');
    shownRow.scrollIntoView({ block: 'center', behavior: 'instant' });
    shownRow.querySelector('button')?.focus({ preventScroll: true });
  };
}

const tradeElement = document.getElementById('trade-table');
const showRow = tradeElement ? tradesTable(tradeElement) : () => {};

function toRow(order) {
  showRow(order);
}
