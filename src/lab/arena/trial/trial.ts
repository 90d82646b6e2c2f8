import { placeOf } from '#lab/arena/film/places.ts';
import { Recorder } from '#lab/arena/film/recorder.ts';
import type { Film, RoomLine, Score } from '#lab/arena/server/film.ts';
import { FAULTS, faultText, type VenueFault } from '#paper-venue/faults/catalogue.ts';
import { shifted } from '#paper-venue/faults/service.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import type { VenueWatch, WatchedAnswer, WatchedOrder } from '#paper-venue/watch/venue-watch.ts';
import type { Timers } from '#ports/timers.ts';
import { BotJudge } from './bot-judge.ts';
import type { DrawnService } from './draw.ts';
import { RULE_NAMES, RULES } from './rules.ts';
import { trialRooms, USER } from './trial-rooms.ts';

interface TrialOptions {
  readonly seed: string;
  readonly service: DrawnService;
  readonly lengthMs: number;
  readonly paceMs: number;
  /** Settings of the paper venue; the trial sets seed, dialect, faults, database and port. */
  readonly venue: VenueSettings;
  readonly port: number;
  readonly timers: Timers;
}

const LOOK_MS = 500;
const MAX_READY_MS = 20_000;
const FAULT = /^fault: ([a-z-]+)/;

/** A bot's trial: a drawn service in real time, and a judge that sees what the service sees. */
export class Trial implements VenueWatch {
  readonly judge: BotJudge;
  private readonly options: TrialOptions;
  private readonly recorder = new Recorder(RULE_NAMES);
  private readonly begunMs: number;
  private readonly sides = new Map<number, string>();
  private venue: Venue | undefined;
  private opening: Readonly<Record<string, string>> = {};
  private isOver = false;

  private constructor(options: TrialOptions) {
    const { timers } = options;
    this.options = options;
    this.begunMs = timers.monotonicMs();
    this.judge = new BotJudge({
      now: () => timers.monotonicMs(),
      paceMs: options.paceMs,
      readyMs: Math.min(MAX_READY_MS, options.lengthMs / 3),
      service: () => this.venue && { executions: () => this.venue?.executions() ?? [], balances: () => this.venue?.balances(USER) ?? {} },
    });
    const { tallies } = this.judge;
    tallies.onChance = (rule) => this.recorder.count([rule]);
    tallies.onBreach = (rule, what) => {
      this.recorder.break(rule, what);
      this.recorder.tell(this.now, `${rule}: ${what}`);
    };
  }

  /** Opens the service. Throws as the paper venue does. */
  static async start(options: TrialOptions): Promise<Trial> {
    const trial = new Trial(options);
    const { service, seed, venue, port, timers } = options;
    const settings: VenueSettings = {
      ...venue,
      port,
      seed,
      database: ':memory:',
      dialect: service.dialect,
      faults: service.faults,
      capabilities: ['order-query', 'balances'],
    };
    const given = shifted(timers, service.clockAheadMs);
    trial.venue = await startVenue(settings, given, (line) => trial.heard(line), trial);
    trial.opening = trial.venue.balances(USER);
    return trial;
  }

  get url(): string {
    return this.venue?.url ?? '';
  }

  get executions(): number {
    return this.venue?.executions().length ?? 0;
  }

  /** Runs the trial to its end or until `signal`. */
  async run(signal: AbortSignal): Promise<Score> {
    const { timers, lengthMs } = this.options;
    const stop = timers.every(LOOK_MS, () => this.inspect());
    await new Promise<void>((resolve) => {
      const cancel = timers.after(lengthMs, resolve);
      const cut = (): void => {
        cancel();
        resolve();
      };
      if (signal.aborted) cut();
      else signal.addEventListener('abort', cut, { once: true });
    });
    stop();
    this.judge.end();
    this.inspect();
    this.isOver = true;
    return this.judge.tallies.score();
  }

  async close(): Promise<void> {
    await this.venue?.close();
  }

  /** The film so far, or only what came after a time. */
  film(after: number | null): Film {
    const { seed, service, lengthMs } = this.options;
    const madeMs = this.isOver ? lengthMs : this.now - 1;
    const score = this.judge.tallies.score();
    return {
      title: `A bot on trial, seed ${seed}`,
      names: { service: 'Service', network: 'Feed', daemon: 'Bot', disk: 'Its books' },
      facts: factsOf(service),
      lights: RULE_NAMES.map((code) => ({ code, title: RULES[code].title })),
      faults: [],
      ...this.recorder.between(after ?? -1, this.isOver ? Number.POSITIVE_INFINITY : madeMs),
      lengthMs,
      madeMs,
      isLive: !this.isOver,
      verdict: this.isOver
        ? {
            holds: score.rows.every(({ breaches }) => breaches === 0),
            title: `${Math.round(score.points)} of 100 points`,
            text: `orders that came: ${this.judge.tallies.orders}, executed: ${this.executions}`,
          }
        : null,
      score,
    };
  }

  ordered(order: WatchedOrder): void {
    this.judge.ordered(order);
    const words = `${order.side ?? '?'} on quote ${order.quoteId?.slice(0, 8) ?? '?'}`;
    this.sides.set(order.number, words);
    this.recorder.travel({
      t: this.now,
      what: 'order',
      from: 'daemon',
      to: 'service',
      text: words,
      tone: order.fault === null ? 'plain' : 'bad',
    });
  }

  answered(number: number, answer: WatchedAnswer): void {
    this.judge.answered(number, answer);
    const isGood = answer.isWhole && answer.status < 300;
    const text = `${this.sides.get(number)}: ${answer.isWhole ? answer.status : 'no answer'}`;
    this.sides.delete(number);
    this.recorder.travel({ t: this.now, what: 'answer', from: 'service', to: 'daemon', text, tone: isGood ? 'good' : 'warn' });
    this.recorder.tell(this.now, text);
  }

  queried(quoteId: string): void {
    this.judge.queried(quoteId);
    this.recorder.tell(this.now, `it asks what became of the order on quote ${quoteId.slice(0, 8)}`);
  }

  knocked(isRefused: boolean): void {
    this.judge.knocked();
    if (isRefused) this.recorder.tell(this.now, 'a connection to the feed is refused');
  }

  requested(connection: number, text: string): void {
    this.judge.requested(connection, text);
    this.recorder.tell(this.now, `connection ${connection} asks for ${text.slice(0, 120)}`);
  }

  sent(connection: number, text: string): void {
    this.judge.sent(connection, text);
    const [, product] = /"productCode":"([^"]*)"/.exec(text) ?? [];
    this.recorder.travel({ t: this.now, what: 'quote', from: 'service', to: 'daemon', text: product ?? text.slice(0, 60), tone: 'plain' });
  }

  issued(text: string): void {
    this.judge.issued(text);
  }

  closed(connection: number): void {
    this.judge.closed(connection);
    this.recorder.tell(this.now, `connection ${connection} is closed`);
  }

  verdict(books: Readonly<Record<string, unknown>>): { readonly isRight: boolean; readonly text: string } {
    const thought = this.judge.verdict(books);
    this.recorder.travel({
      t: this.now,
      what: 'row',
      from: 'daemon',
      to: 'disk',
      text: thought.text,
      tone: thought.isRight ? 'good' : 'bad',
    });
    return thought;
  }

  private get now(): number {
    return Math.round(this.options.timers.monotonicMs() - this.begunMs);
  }

  private inspect(): void {
    this.judge.poll();
    if (this.venue) this.recorder.sample(this.now, trialRooms(this.venue, this.judge, this.opening));
  }

  /** Records a line of the service's log. */
  private heard(line: string): void {
    const name = FAULT.exec(line)?.[1] ?? '';
    const known = Object.entries(FAULTS).find(([one]) => one === name)?.[1];
    if (!known) return this.recorder.tell(this.now, `service: ${line}`);
    const [fault = ''] = known.numbers.split(' ');
    this.recorder.strike({ t: this.now, fault, words: `${name}: ${known.does}`, room: placeOf(fault) }, true);
    this.recorder.tell(this.now, `${fault}: ${name}`);
  }
}

function factsOf({ dialect, faults, clockAheadMs }: DrawnService): readonly RoomLine[] {
  const fact = (label: string, value: string): RoomLine => ({ label, value, tone: 'plain' });
  return [
    fact('the service reads', dialect.length === 0 ? 'all as the paper venue does' : dialect.join(', ')),
    fact('its faults', faults.length === 0 ? 'none' : faults.map((one: VenueFault) => faultText(one)).join(', ')),
    fact('its clock', `${clockAheadMs >= 0 ? '+' : ''}${(clockAheadMs / 1000).toFixed(1)} s beside this machine's`),
  ];
}
