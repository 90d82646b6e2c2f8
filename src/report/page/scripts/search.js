// What a search found: a heat map of two parameters, and results in sample against those out of it.

const { data, MARGIN, element, ticks, timeText, percentText, numberText, percent, plain, draw, canvas, begin } = globalThis.charts;
const { parameters, figures, points, first, scatter } = data.search ?? {
  parameters: [],
  figures: [],
  points: [],
  first: null,
  scatter: null,
};

const MAX_FIELDS = 14;
const chosen = { x: 0, y: parameters.length > 1 ? 1 : -1, figure: 0, by: 'median' };

/** The fields of a parameter along one side: its values, or ranges of them where there are many. */
function fieldsOf(parameter) {
  if (parameter < 0) return { count: 1, place: () => 0, text: () => '' };
  const values = [...new Set(points.map(({ values: own }) => own[parameter]).filter((one) => one !== null))];
  const numeric = values.every((one) => typeof one === 'number');
  if (numeric) values.sort((a, b) => a - b);
  if (!numeric || values.length <= MAX_FIELDS)
    return { count: values.length, place: (one) => values.indexOf(one), text: (n) => String(values[n]) };
  const [low, high] = [values[0], values.at(-1)];
  const width = (high - low) / MAX_FIELDS;
  const place = (one) => (one === null ? -1 : Math.min(MAX_FIELDS - 1, Math.floor((one - low) / width)));
  return { count: MAX_FIELDS, place, text: (n) => `${plain(low + n * width, high - low)}+` };
}

const middle = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
};

/** The fields in which a trial lies, each with the values of its ranked ones and that which counts. */
function heatFields(across, up) {
  const fields = new Map();
  for (const [n, { values, figures: own, isRanked }] of points.entries()) {
    const [x, y] = [across.place(values[chosen.x]), chosen.y < 0 ? 0 : up.place(values[chosen.y])];
    if (x < 0 || y < 0) continue;
    const key = y * across.count + x;
    const field = fields.get(key) ?? { x, y, values: [], tried: 0, first: false };
    field.tried += 1;
    field.first ||= n === first;
    if (isRanked && own[chosen.figure] !== null) field.values.push(own[chosen.figure]);
    fields.set(key, field);
  }
  return [...fields.values()].map((field) => ({
    ...field,
    value: field.values.length === 0 ? null : chosen.by === 'best' ? Math.max(...field.values) : middle(field.values),
  }));
}

function drawHeat(figure) {
  const [across, up] = [fieldsOf(chosen.x), fieldsOf(chosen.y)];
  const { isShare } = figures[chosen.figure];
  const words = (value) => (isShare ? percentText(value) : numberText(value));
  const short = (value) => `${(isShare ? value * 100 : value).toLocaleString('en', { maximumSignificantDigits: 3 })}${isShare ? ' %' : ''}`;
  const all = heatFields(across, up);
  const known = all.flatMap(({ value }) => value ?? []);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  // The colours use the whole range of the figures; with losses and profits they begin at zero.
  const palest = Math.max(lowest, Math.min(0, highest));
  const deepest = highest - palest > palest - lowest ? highest : lowest;
  const left = chosen.y < 0 ? 12 : 64;
  const high = Math.max(24, Math.min(44, 420 / up.count));
  const height = Math.round(up.count * high + 44);
  const { svg, width } = canvas(
    figure,
    height,
    `${figures[chosen.figure].name} by ${parameters[chosen.x]}${chosen.y < 0 ? '' : ` and ${parameters[chosen.y]}`}`,
  );
  const wide = (width - left - 6) / across.count;
  const readout = figure.querySelector('.readout');
  const sayOf = ({ x, y, value, values, tried }) =>
    `${parameters[chosen.x]} ${across.text(x)}${chosen.y < 0 ? '' : `, ${parameters[chosen.y]} ${up.text(y)}`}: ${value === null ? 'no trial is ranked' : `${figures[chosen.figure].name} ${words(value)}`} (${tried} ${tried === 1 ? 'trial' : 'trials'}${values.length > 1 ? `, ${words(Math.min(...values))} to ${words(Math.max(...values))}` : ''})`;
  for (const field of all) {
    const [x, y] = [left + field.x * wide, 6 + (up.count - 1 - field.y) * high];
    const share = field.value === null ? 0 : Math.abs(field.value - palest) / (Math.abs(deepest - palest) || 1);
    const box = element(svg, 'rect', {
      class: field.value === null ? 'field none' : field.value < 0 ? 'field lost' : 'field won',
      x: x + 1,
      y: y + 1,
      width: Math.max(1, wide - 2),
      height: high - 2,
      style: `--share:${(8 + share * 47).toFixed(0)}%`,
    });
    element(box, 'title', {}, sayOf(field));
    box.addEventListener('pointerenter', () => {
      readout.textContent = sayOf(field);
    });
    const text = field.value === null ? '-' : short(field.value);
    if (wide > text.length * 6.6 + 4)
      element(svg, 'text', { class: 'in-field', x: x + wide / 2, y: y + high / 2 + 4, 'text-anchor': 'middle' }, text);
    if (field.first) element(svg, 'rect', { class: 'first-field', x: x + 2, y: y + 2, width: Math.max(1, wide - 4), height: high - 4 });
  }
  for (let n = 0; n < up.count && chosen.y >= 0; n += 1)
    element(svg, 'text', { x: left - 6, y: 6 + (up.count - 1 - n) * high + high / 2 + 4, 'text-anchor': 'end' }, up.text(n).slice(0, 9));
  let free = 0;
  for (let n = 0; n < across.count; n += 1) {
    const text = across.text(n);
    const at = left + (n + 0.5) * wide;
    const half = text.length * 3.4;
    if (at - half < free || at + half > width) continue;
    element(svg, 'text', { x: at, y: height - 22, 'text-anchor': 'middle' }, text);
    free = at + half + 8;
  }
  const legend = known.length === 0 ? '' : `; palest ${short(palest)}, deepest ${short(deepest)}`;
  element(
    svg,
    'text',
    { x: left, y: height - 6 },
    `across ${parameters[chosen.x]}${chosen.y < 0 ? '' : `, up ${parameters[chosen.y]}`}${legend}`,
  );
}

function drawScatter(figure) {
  const { svg, width, height } = canvas(figure, window.innerWidth <= 560 ? 260 : 340, `${scatter.x} against ${scatter.y}`);
  const values = scatter.points.flatMap(({ inSample, outOfSample }) => [inSample, outOfSample]);
  const reach = (own) => {
    const [low, high] = [Math.min(0, ...own), Math.max(0, ...own)];
    const pad = (high - low) * 0.06 || 0.001;
    return [low - pad, high + pad];
  };
  const [left, right] = reach(scatter.points.map(({ inSample }) => inSample));
  const [low, high] = reach(scatter.points.map(({ outOfSample }) => outOfSample));
  const bottom = MARGIN.bottom + 4;
  const x = (value) => MARGIN.left + ((value - left) / (right - left)) * (width - MARGIN.left - MARGIN.right);
  const y = (value) => MARGIN.top + (1 - (value - low) / (high - low)) * (height - MARGIN.top - bottom);
  for (const value of ticks(low, high, 5)) {
    element(svg, 'line', { class: value === 0 ? 'zero' : 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) });
    element(svg, 'text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, percent(value, high - low));
  }
  for (const value of ticks(left, right, Math.max(2, Math.floor(width / 120)))) {
    if (value === 0) element(svg, 'line', { class: 'zero', x1: x(0), x2: x(0), y1: MARGIN.top, y2: height - bottom });
    if (x(value) < MARGIN.left + 14 || x(value) > width - 34) continue;
    element(svg, 'text', { x: x(value), y: height - 6, 'text-anchor': 'middle' }, percent(value, right - left));
  }
  const [from, to] = [Math.max(left, low), Math.min(right, high)];
  if (from < to) element(svg, 'line', { class: 'same', x1: x(from), y1: y(from), x2: x(to), y2: y(to) });
  const readout = figure.querySelector('.readout');
  const span = Math.max(...values) - Math.min(...values);
  // What was chosen lies above the others.
  for (const point of scatter.points.toSorted((a, b) => Number(a.isChosen) - Number(b.isChosen))) {
    const words = `${point.label}: ${percent(point.inSample, span)} in sample, ${percent(point.outOfSample, span)} out of it`;
    const dot = element(svg, 'circle', {
      class: point.isChosen ? 'picked' : 'other',
      cx: x(point.inSample),
      cy: y(point.outOfSample),
      r: point.isChosen ? 6 : 3.5,
    });
    element(dot, 'title', {}, words);
    dot.addEventListener('pointerenter', () => {
      readout.textContent = words;
    });
  }
}

function drawChained(figure) {
  const { from, to, points: own } = data.chained;
  draw(figure, {
    lines: [],
    // Each value goes on with the one before, also from a test to the next.
    dots: [{ points: own, look: 'sig0', name: 'growth', joined: true }],
    zero: 100,
    ...{ from, to, label: 'growth of 100 over all tests', axis: plain },
    say: () => '',
  });
  const readout = figure.querySelector('.readout');
  readout.textContent = `${timeText(own.at(-1)[0])}  ${numberText(own.at(-1)[1])}`;
}

/** What the heat map shows is chosen above it. */
function addTools() {
  const bar = document.getElementById('heat-tools');
  const figure = document.querySelector('[data-chart="heat"]');
  if (!bar || !figure) return;
  const choice = (label, options, key) => {
    const own = document.createElement('label');
    const select = document.createElement('select');
    for (const [value, text] of options) {
      const option = document.createElement('option');
      option.value = String(value);
      option.textContent = text;
      option.selected = value === chosen[key];
      select.append(option);
    }
    select.addEventListener('change', () => {
      chosen[key] = key === 'by' ? select.value : Number(select.value);
      drawHeat(figure);
    });
    own.append(`${label} `, select);
    bar.append(own);
  };
  const named = parameters.map((name, n) => [n, name]);
  choice('across', named, 'x');
  if (parameters.length > 1) choice('up', named, 'y');
  choice(
    'figure',
    figures.map(({ name }, n) => [n, name]),
    'figure',
  );
  if (parameters.length > 2)
    choice(
      'of several trials',
      [
        ['median', 'their median'],
        ['best', 'the best'],
      ],
      'by',
    );
}

addTools();
const OWN = { heat: drawHeat, scatter: drawScatter, chained: drawChained };
const isOwn = ({ dataset }) => OWN[dataset.chart] !== undefined;
begin(
  ({ dataset }) =>
    dataset.chart === 'scatter'
      ? [
          ['picked', 'chosen', 'M4 6a5 5 0 1 0 10 0a5 5 0 1 0 -10 0'],
          ...(scatter.points.every(({ isChosen }) => isChosen) ? [] : [['other', 'the others', 'M6 6a3 3 0 1 0 6 0a3 3 0 1 0 -6 0']]),
        ]
      : [],
  (figure) => OWN[figure.dataset.chart](figure),
  isOwn,
);
