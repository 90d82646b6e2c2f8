import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';
import { jsonIn } from '#domain/json-in.ts';
import type { Millis } from '#domain/names.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { type Headline, note } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import { type SweepDescription, shortHash, type TrialResult } from './trial.ts';

/** A walk-forward that was made: what it was, as a hash, and the time of its tests, which earlier versions left out. */
interface WalkMark {
  readonly id: string;
  readonly from?: Millis;
  readonly to?: Millis;
}

/** A line of the log, with the hash of the rest, which earlier versions left out. */
type Line = { readonly sum?: string } & (
  | { readonly kind: 'sweep'; readonly sweep: SweepDescription }
  | { readonly kind: 'trial'; readonly trial: TrialResult }
  | { readonly kind: 'walk'; readonly walk: WalkMark }
  | { readonly kind: 'ranking'; readonly ranking: readonly RankedTrial[] }
);

/** A trial of a finished sweep, with what that asked for: a trial that was known before may have been played under other names. */
export interface RankedTrial extends Pick<TrialResult, 'id' | 'params'> {
  /** From 1; null where it has no place. */
  readonly rank: number | null;
  /** The figure of `--objective`; null without one. */
  readonly objective: number | null;
}

/** Finished trials of all sweeps over the same quotes and strategies, as a log has them. A line that a crash cut short is passed over, and so is one that is not as it was written. */
export class KeptTrials {
  readonly file: string;
  private readonly trials = new Map<string, TrialResult>();
  /** Of the screen; those of the engine are apart, and stand before them. */
  private readonly screened = new Map<string, TrialResult>();
  private readonly walks = new Map<string, WalkMark & { readonly sweep: SweepDescription | undefined }>();
  private readonly begun: SweepDescription[] = [];
  /** Ids of the trials of sweeps, and of what was begun last. */
  private readonly swept = new Set<string>();
  private played: string[] = [];
  private ranked: readonly RankedTrial[] | undefined;
  private changed = 0;

  protected constructor(file: string, text: string) {
    this.file = file;
    for (const line of text.split('\n')) this.add(lineOf(line));
  }

  /** Reads the logs of a folder that have a sweep of that kind, without writing to them. Throws USAGE where one cannot be read. */
  static readAll(folder: string, isOfKind: (sweep: SweepDescription) => boolean): readonly KeptTrials[] {
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return files.toSorted().flatMap((name) => KeptTrials.read(path.join(folder, name), isOfKind) ?? []);
  }

  /** Reads one log as `readAll` does; undefined where it has no such sweep. Throws USAGE. */
  static read(file: string, isOfKind: (sweep: SweepDescription) => boolean): KeptTrials | undefined {
    try {
      const text = textOf(file);
      return sweepsIn(text).some(isOfKind) ? new KeptTrials(file, text) : undefined;
    } catch (error) {
      throw new KairosError('USAGE', `the log of trials ${file} cannot be read (${messageOf(error)}): check its permissions`);
    }
  }

  /** A finished trial that the engine has played, by its id. */
  trial(id: string): TrialResult | undefined {
    return this.trials.get(id);
  }

  /** The same, or what the screen made of it. */
  known(id: string): TrialResult | undefined {
    return this.trials.get(id) ?? this.screened.get(id);
  }

  /** All finished trials, the oldest first, those of the screen alone behind them. */
  get all(): readonly TrialResult[] {
    return [...this.trials.values(), ...[...this.screened.values()].filter(({ id }) => !this.trials.has(id))];
  }

  /** Whether a trial was of a sweep, and not of a walk-forward. */
  isSwept({ id }: TrialResult): boolean {
    return this.swept.has(id);
  }

  /** All sweeps that were begun, the oldest first. */
  get sweeps(): readonly SweepDescription[] {
    return this.begun;
  }

  /** Different walk-forwards that were made on these quotes, with what each searched. */
  get walkForwards() {
    return [...this.walks.values()];
  }

  get last(): SweepDescription | undefined {
    return this.begun.at(-1);
  }

  /** The trials of that sweep, the best first; undefined where it is not finished, and for a walk-forward. */
  get ranking(): readonly RankedTrial[] | undefined {
    return this.ranked;
  }

  /** That lines were changed since they were written. */
  get headlines(): readonly Headline[] {
    const { changed, file } = this;
    return changed === 0
      ? []
      : [note(`${counted(changed, 'line')} of ${file} changed since written, and not believed: remove what is wrong`)];
  }

  protected add(line: Line | undefined): void {
    if (line && !isAsWritten(line)) {
      this.changed += 1;
      return;
    }
    switch (line?.kind) {
      case 'sweep':
        this.begun.push(line.sweep);
        this.played = [];
        this.ranked = undefined;
        return;
      case 'ranking':
        this.ranked = line.ranking;
        return;
      case 'trial':
        (line.trial.screened ? this.screened : this.trials).set(line.trial.id, line.trial);
        this.played.push(line.trial.id);
        if (!this.last?.isWalk) this.swept.add(line.trial.id);
        return;
      case 'walk':
        this.walks.set(line.walk.id, { ...line.walk, sweep: this.last });
        // Earlier logs tell a walk-forward by its end alone.
        if (!this.last?.isWalk) for (const id of this.played) this.swept.delete(id);
        return;
      case undefined:
        return;
    }
  }

  protected hasWalk(id: string): boolean {
    return this.walks.has(id);
  }
}

/** The log of a study: one JSON a line, each on disk before the next trial counts as finished. What is written behind a torn line begins one of its own. */
export class TrialLog extends KeptTrials {
  private readonly fd: number;

  private constructor(file: string, text: string, fd: number) {
    super(file, text);
    this.fd = fd;
  }

  /** Opens the log of a study, new or as it was left. Throws USAGE where it cannot be written. */
  static open(file: string): TrialLog {
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      const before = existsSync(file) ? textOf(file) : '';
      return new TrialLog(file, before, openSync(file, 'a+'));
    } catch (error) {
      throw new KairosError(
        'USAGE',
        `the log of trials ${file} cannot be kept (${messageOf(error)}): check journal.path, beside which it lies`,
      );
    }
  }

  begin(sweep: SweepDescription): void {
    this.append({ kind: 'sweep', sweep });
  }

  /** Keeps finished trials: they are on disk when this returns. One that is known already is not kept again; the engine's is beside the screen's. */
  keep(trials: readonly TrialResult[]): void {
    const isNew = ({ id, screened }: TrialResult): boolean => (screened ? this.known(id) : this.trial(id)) === undefined;
    const fresh = new Map(trials.filter(isNew).map((trial) => [trial.id, trial]));
    this.append(...[...fresh.values()].map((trial): Line => ({ kind: 'trial', trial })));
  }

  keepWalk(walk: WalkMark): void {
    if (!this.hasWalk(walk.id)) this.append({ kind: 'walk', walk });
  }

  keepRanking(ranking: readonly RankedTrial[]): void {
    this.append({ kind: 'ranking', ranking });
  }

  close(): void {
    closeSync(this.fd);
  }

  private append(...lines: readonly Line[]): void {
    if (lines.length === 0) return;
    const texts = lines.map(({ kind, ...rest }) => JSON.stringify({ kind, sum: shortHash({ kind, ...rest }), ...rest }));
    const bytes = Buffer.from(`${this.endsWhole() ? '' : '\n'}${texts.join('\n')}\n`);
    // One write of whole lines, so that two sweeps at once do not tear each other's.
    writeSync(this.fd, bytes);
    fsyncSync(this.fd);
    // As a later sweep will read them, so that a figure is the same whoever played it.
    for (const text of texts) this.add(lineOf(text));
  }

  /** False behind a line that was cut short. */
  private endsWhole(): boolean {
    const { size } = fstatSync(this.fd);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(this.fd, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
  }
}

/** Whether a line, or all that counts of it, is what was written. */
const isAsWritten = ({ sum, ...line }: Line): boolean => sum === undefined || sum === shortHash(line);

/** The text of a log. Throws for what is no regular file: reading a FIFO would wait for ever. */
function textOf(file: string): string {
  if (!statSync(file).isFile()) throw new Error('it is no regular file');
  return readFileSync(file, 'utf8');
}

/** Undefined for what a crash left of a line, and for lines of other kinds. */
function lineOf(text: string): Line | undefined {
  const value = jsonIn(text);
  if (!isGroup(value)) return undefined;
  const { kind, sweep, trial, walk, ranking } = value;
  if (kind === 'sweep' && isGroup(sweep) && Array.isArray(sweep.vary)) return value as Line;
  if (kind === 'trial' && isGroup(trial) && typeof trial.id === 'string' && Array.isArray(trial.days)) return value as Line;
  if (kind === 'ranking' && Array.isArray(ranking) && ranking.every((one) => isGroup(one) && isGroup(one.params))) return value as Line;
  return kind === 'walk' && isGroup(walk) && typeof walk.id === 'string' ? (value as Line) : undefined;
}

/** The sweeps that a log's text begins, its many trials unread. */
const sweepsIn = (text: string): readonly SweepDescription[] =>
  text.split('\n').flatMap((line) => {
    const read = line.startsWith('{"kind":"sweep"') ? lineOf(line) : undefined;
    return read?.kind === 'sweep' ? [read.sweep] : [];
  });
