/** A sample of a series: its labels, `__name__` among them, and its value. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What was scraped at a time, in seconds. */
export interface Scrape {
  readonly at: number;
  readonly samples: readonly Sample[];
}

type Value = number | readonly Sample[];

/** How long a sample counts after its scrape, in seconds. */
const LOOKBACK_S = 300;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const TOKEN =
  /\s*(?:(-?\d+(?:\.\d+)?(?:e\d+)?)(?![smhd\w])|(\d+[smhd])|([a-zA-Z_:][\w:]*)|("(?:[^"\\]|\\.)*")|(=~|!~|!=|==|>=|<=|[-+*/(){}[\],=<>]))/y;

/** The samples of a text in Prometheus's format. */
export function samplesIn(text: string): readonly Sample[] {
  return [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', inside = '', value = '']) => ({
    labels: {
      __name__: name,
      ...Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', of = '']) => [label, of])),
    },
    value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
  }));
}

/** As much of PromQL as the shipped rules need, over what was scraped; throws at anything else. */
export function evaluate(expression: string, scrapes: readonly Scrape[], at: number): Value {
  return new Evaluation(expression, scrapes, at).value();
}

class Evaluation {
  private readonly tokens: string[] = [];
  private readonly scrapes: readonly Scrape[];
  private readonly at: number;
  private next = 0;

  constructor(expression: string, scrapes: readonly Scrape[], at: number) {
    this.scrapes = scrapes;
    this.at = at;
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(expression); found; found = TOKEN.exec(expression)) this.tokens.push(found[0].trim());
    if (this.tokens.join('').length !== expression.replaceAll(/\s/g, '').length) throw new Error(`cannot read ${expression}`);
  }

  value(): Value {
    const value = this.union();
    if (this.next < this.tokens.length) throw new Error(`what is ${this.tokens[this.next]}?`);
    return value;
  }

  private takes(token: string): boolean {
    if (this.tokens[this.next] !== token) return false;
    this.next += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.takes(token)) throw new Error(`${token} is expected, not ${this.tokens[this.next]}`);
  }

  private union(): Value {
    let left = this.difference();
    while (this.takes('or')) {
      const known = vector(left);
      left = [...known, ...vector(this.difference()).filter((one) => !known.some((other) => isSame(one, other)))];
    }
    return left;
  }

  /** It binds closer than `or`. */
  private difference(): Value {
    let left = this.comparison();
    for (;;) {
      const keeps = this.takes('and');
      if (!keeps && !this.takes('unless')) return left;
      const right = vector(this.comparison());
      left = vector(left).filter((one) => right.some((other) => isSame(one, other)) === keeps);
    }
  }

  private comparison(): Value {
    const left = this.term();
    for (const [sign, holds] of Object.entries(COMPARISONS)) {
      if (!this.takes(sign)) continue;
      const right = this.term();
      if (typeof right !== 'number') throw new Error('only numbers are compared with');
      return vector(left).filter(({ value }) => holds(value, right));
    }
    return left;
  }

  private term(): Value {
    if (this.takes('(')) {
      const inside = this.union();
      this.expect(')');
      return inside;
    }
    const token = this.tokens[this.next] ?? '';
    if (/^-?\d/.test(token)) {
      this.next += 1;
      return Number(token);
    }
    if (this.takes('sum')) return this.sum();
    if (this.takes('time')) {
      for (const sign of ['(', ')', '-']) this.expect(sign);
      return vector(this.term()).map(({ labels, value }) => ({ labels, value: this.at - value }));
    }
    const own = FUNCTIONS[token];
    if (own && this.tokens[this.next + 1] === '(') {
      this.next += 2;
      const first = token === 'histogram_quantile' ? this.number() : 0;
      const inside = token === 'histogram_quantile' ? this.union() : this.range();
      const last = this.takes(',') ? this.number() : 0;
      this.expect(')');
      return own(inside, first, last);
    }
    return this.selected().now;
  }

  private number(): number {
    const value = this.comparison();
    this.takes(',');
    if (typeof value !== 'number') throw new Error('a number is expected');
    return value;
  }

  private sum(): Value {
    this.expect('by');
    this.expect('(');
    const by: string[] = [];
    while (!this.takes(')')) if (!this.takes(',')) by.push(this.tokens[this.next++] ?? '');
    this.expect('(');
    const inside = vector(this.union());
    this.expect(')');
    const sums = Map.groupBy(inside, ({ labels }) => JSON.stringify(by.map((name) => [name, labels[name] ?? ''])));
    return [...sums].map(([key, those]) => ({
      labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
      value: those.reduce((all, { value }) => all + value, 0),
    }));
  }

  /** A selector with its range: each series with its points. */
  private range(): Points {
    return this.selected().points;
  }

  private selected(): { readonly now: readonly Sample[]; readonly points: Points } {
    const name = this.tokens[this.next++] ?? '';
    const matchers: [string, string, string][] = [];
    if (this.takes('{')) {
      while (!this.takes('}')) {
        const [label = '', sign = '', of = ''] = this.tokens.slice(this.next, this.next + 3);
        matchers.push([label, sign, JSON.parse(of) as string]);
        this.next += 3;
        this.takes(',');
      }
    }
    const rangeS = this.takes('[') ? this.span(']') : 0;
    const upTo = this.at - (this.takes('offset') ? this.span() : 0);
    const fits = ({ labels }: Sample): boolean =>
      labels.__name__ === name && matchers.every(([label, sign, of]) => MATCHES[sign]?.(labels[label] ?? '', of) === true);
    const points: Points = new Map();
    for (const { at: when, samples } of this.scrapes) {
      if (when > upTo || when <= upTo - Math.max(rangeS, rangeS === 0 ? LOOKBACK_S : 0)) continue;
      for (const sample of samples.filter(fits)) {
        const key = JSON.stringify(sample.labels);
        points.set(key, [...(points.get(key) ?? []), { at: when, sample }]);
      }
    }
    return { now: [...points.values()].flatMap((those) => those.at(-1)?.sample ?? []), points };
  }

  private span(end?: string): number {
    const token = this.tokens[this.next++] ?? '';
    if (end !== undefined) this.expect(end);
    return Number.parseInt(token, 10) * (UNITS[token.at(-1) ?? ''] ?? Number.NaN);
  }
}

type Points = Map<string, readonly { readonly at: number; readonly sample: Sample }[]>;

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
};

const MATCHES: Readonly<Record<string, (given: string, of: string) => boolean>> = {
  '=': (given, of) => given === of,
  '!=': (given, of) => given !== of,
  '=~': (given, of) => new RegExp(`^(?:${of})$`).test(given),
  '!~': (given, of) => !new RegExp(`^(?:${of})$`).test(given),
};

const FUNCTIONS: Readonly<Record<string, (inside: Value | Points, first: number, last: number) => Value>> = {
  increase: (inside) => grown(inside, (sum) => sum),
  rate: (inside) => grown(inside, (sum, spanS) => sum / spanS),
  max_over_time: (inside) =>
    [...pointsOf(inside).values()].map((points) => ({
      labels: points[0]?.sample.labels ?? {},
      value: Math.max(...points.map(({ sample: { value } }) => value)),
    })),
  // Without the least squares of Prometheus: a line through the first and the last point.
  predict_linear: (inside, _first, aheadS) =>
    [...pointsOf(inside).values()].flatMap((points) => {
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last || first === last) return [];
      const slope = (last.sample.value - first.sample.value) / (last.at - first.at);
      return [{ labels: first.sample.labels, value: last.sample.value + slope * aheadS }];
    }),
  histogram_quantile: (inside, quantile) => {
    const groups = Map.groupBy(vector(inside), ({ labels: { le: _, ...rest } }) => JSON.stringify(rest));
    return [...groups].flatMap(([labels, buckets]) => {
      const sorted = buckets.toSorted((a, b) => boundOf(a) - boundOf(b));
      const wanted = quantile * (sorted.at(-1)?.value ?? 0);
      const bucket = sorted.find(({ value }) => value >= wanted);
      return bucket && wanted > 0 ? [{ labels: JSON.parse(labels) as Sample['labels'], value: boundOf(bucket) }] : [];
    });
  },
};

const boundOf = ({ labels: { le = '' } }: Sample): number => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le));

/** How counters have grown, a fall being a new begin. */
function grown(inside: Value | Points, of: (sum: number, spanS: number) => number): readonly Sample[] {
  return [...pointsOf(inside).values()].flatMap((points) => {
    const [first, last] = [points[0], points.at(-1)];
    if (!first || !last || first === last) return [];
    const sum = points.reduce((all, { sample: { value } }, n) => {
      const before = points[n - 1]?.sample.value ?? value;
      return all + (value < before ? value : value - before);
    }, 0);
    return [{ labels: first.sample.labels, value: of(sum, last.at - first.at) }];
  });
}

function pointsOf(inside: Value | Points): Points {
  if (inside instanceof Map) return inside;
  throw new Error('a range is expected');
}

function vector(value: Value | Points): readonly Sample[] {
  if (typeof value === 'number' || value instanceof Map) throw new Error('series are expected');
  return value;
}

const isSame = ({ labels: { __name__: _, ...a } }: Sample, { labels: { __name__: __, ...b } }: Sample): boolean =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());
