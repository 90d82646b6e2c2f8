import { isoTime, type Millis } from '#domain/names.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { writtenName, writtenText } from '#domain/settings/written.ts';

/** A figure of a result as its JSON has it. */
export interface ComparedFigure {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  /** In its unit, money in the currency of the result, shares as such; null where there is none. */
  readonly value: number | null;
  /** Of money in another currency than the result's. */
  readonly currency?: string;
}

/** A result that stands beside others, from the JSON of a report or of a trial. */
export interface ComparedResult {
  /** As it was asked for. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** True where one of its strategies failed: its figures are of a part of it. */
  readonly failed: boolean;
  readonly from: Millis;
  readonly to: Millis;
  readonly currency: string;
  /** Settings by their path, and what else decides a result: mode, quotes, time, latency, risk-free rate. */
  readonly settings: ReadonlyMap<string, string>;
  /** False where only those settings are known that a search varied. */
  readonly isWhole: boolean;
  readonly figures: readonly ComparedFigure[];
  /** What was assumed beside the settings; null where that is not known. */
  readonly assumed: readonly string[] | null;
  /** Equity at equal distances of time, 100 at first. Null where it could not be valued. */
  readonly curve: { readonly from: Millis; readonly stepMs: Millis; readonly values: readonly number[] } | null;
}

type Group = Readonly<Record<string, unknown>>;

const groupIn = (group: Group, key: string): Group => (isGroup(group[key]) ? group[key] : {});
const textIn = (group: Group, key: string): string => (typeof group[key] === 'string' ? group[key] : '');
const timeIn = (group: Group, key: string): Millis => {
  const value = group[key];
  return typeof value === 'number' ? value : Date.parse(textIn(group, key));
};

const timeText = (from: Millis, to: Millis): string => `${isoTime(from)} to ${isoTime(to)}`;

/** Reads the JSON of `report` or `backtest`. Throws RangeError, saying what is missing, for any other. */
export function comparedReport(name: string, json: unknown): ComparedResult {
  const report = isGroup(json) && isGroup(json.report) ? json.report : json;
  if (!isGroup(report) || !isGroup(report.figures) || !isGroup(report.run)) throw new RangeError('it has no run with figures');
  const { run } = report;
  const [from, to] = [timeIn(run, 'startedAt'), timeIn(run, 'endedAt')];
  const figures = Object.entries(report.figures).map(([id, figure]) => figureOf(id, isGroup(figure) ? figure : {}));
  const conventions = groupIn(report, 'conventions');
  const notes = Array.isArray(report.headlines) ? report.headlines.filter((one) => typeof one === 'string') : [];
  const latency = notes.find((one) => one.startsWith('latency:'))?.replace(/^latency: /, '');
  const details = Array.isArray(report.headlineDetails) ? report.headlineDetails.filter(isGroup) : [];
  return {
    name,
    title: textIn(report, 'title') || textIn(run, 'run'),
    summary: textIn(report, 'summary'),
    failed: details.some(({ level }) => level === 'failed'),
    from,
    to,
    currency: textIn(report, 'currency'),
    isWhole: true,
    settings: new Map([
      ['mode', textIn(run, 'mode')],
      ['time', timeText(from, to)],
      ['quotes', textIn(conventions, 'data').replace(/^quotes /, '')],
      ...(latency === undefined ? [] : [['latency', latency] as const]),
      ['version', textIn(run, 'version')],
      ['risk-free rate', textIn(conventions, 'risk-free rate')],
      // The mode that was configured is not that in which it was played.
      ...flat(report.settings, '').filter(([path]) => path !== 'mode'),
    ]),
    figures,
    assumed: details.length === 0 ? null : details.filter(isAssumption).map((one) => textIn(one, 'text')),
    curve: curveOf(groupIn(groupIn(report, 'equity'), 'curve')),
  };
}

/** Notes that stand beside the settings or are of the fills of one result alone. */
const TOLD_ELSEWHERE = /^(?:latency|no market impact is assumed)\b/;

const isAssumption = (one: Group): boolean =>
  one.level === 'note' && one.code !== 'FILLS' && one.code !== 'PLAYED' && !TOLD_ELSEWHERE.test(textIn(one, 'text'));

function figureOf(id: string, { value, unit, label, currency }: Group): ComparedFigure {
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return {
    id,
    label: typeof label === 'string' ? label : id,
    unit: typeof unit === 'string' ? unit : 'ratio',
    value: typeof at === 'number' && Number.isFinite(at) ? at : null,
    ...(typeof currency === 'string' && { currency }),
  };
}

function curveOf({ from, stepMs, values }: Group): ComparedResult['curve'] {
  if (!Array.isArray(values) || typeof stepMs !== 'number' || typeof from !== 'string') return null;
  return indexed(
    Date.parse(from),
    stepMs,
    values.filter((one) => typeof one === 'number'),
  );
}

/** Values as they would be had the first of them been 100. */
function indexed(from: Millis, stepMs: Millis, values: readonly number[]): ComparedResult['curve'] {
  const [first] = values;
  return first === undefined || first <= 0 || values.length < 2 ? null : { from, stepMs, values: values.map((one) => (one / first) * 100) };
}

/** Reads a trial of a sweep, as `--out FILE.json` writes it. Throws RangeError for anything else. */
export function comparedTrial(name: string, trial: unknown): ComparedResult {
  if (!isGroup(trial) || !isGroup(trial.figures) || !isGroup(trial.params)) throw new RangeError('it is no trial with figures');
  const { figures } = trial;
  const params = flat(trial.params, '');
  const days = Array.isArray(trial.days) ? trial.days.filter(isGroup) : [];
  let value = 100;
  const values = [100, ...days.map((day) => (value *= 1 + (typeof day.return === 'number' ? day.return : 0)))];
  const from = timeIn(trial, 'from');
  const to = trial.to === null ? Number(days.at(-1)?.at ?? from) : timeIn(trial, 'to');
  return {
    name,
    title: params.map(([param, one]) => `${param}=${one}`).join(' '),
    summary: '',
    failed: typeof trial.failed === 'string',
    from,
    to,
    currency: textIn(trial, 'currency'),
    isWhole: false,
    settings: new Map([
      ['mode', 'backtest'],
      ['time', timeText(from, to)],
      ['risk-free rate', '0 % a year'],
      ...Object.entries(trial.params).flatMap(([group, values]) => variedIn(group, isGroup(values) ? values : {})),
    ]),
    figures: Object.entries(figures).map(([id, figure]) => ({
      id,
      label: id,
      unit: '',
      value: typeof figure === 'number' ? figure : null,
    })),
    assumed: null,
    curve: indexed(from, (to - from) / Math.max(1, values.length - 1), values),
  };
}

/** What stands beside the strategies in `kairos.yaml` and a search can vary. */
const BESIDE: ReadonlySet<string> = new Set(['risk', 'backtest', 'trading', 'schedule']);

/** What a trial varied of a strategy or a section, by its names in `kairos.yaml`. */
function variedIn(group: string, values: Group): ReturnType<typeof flat> {
  const pathOf = (name: string): string =>
    BESIDE.has(group) ? `${group}.${name}` : `strategies.${group}.${name.includes('.') ? name : `params.${name}`}`;
  return Object.entries(values).flatMap(([name, value]) => flat(value, pathOf(name)));
}

/** Settings by their names in `kairos.yaml`; entries of a list go by their id or name. */
function flat(value: unknown, path: string): readonly (readonly [path: string, text: string])[] {
  const written = writtenText(path, value);
  if (written !== undefined) return [[writtenName(path), written]];
  const under = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (isGroup(value)) return Object.entries(value).flatMap(([key, one]) => flat(one, under(key)));
  if (Array.isArray(value) && value.some(isGroup))
    return value.flatMap((one, n) => flat(one, under(isGroup(one) ? textIn(one, 'id') || textIn(one, 'name') || String(n) : String(n))));
  return path === '' || value === undefined ? [] : [[writtenName(path), typeof value === 'string' ? value : JSON.stringify(value)]];
}
