import type { Decision } from '#domain/decision.ts';
import type { RoomName, Tone, Travel } from '#lab/arena/server/film.ts';
import type { SimulatedFault } from '#lab/simulator/plan/faults.ts';
import type { HttpConnection } from '#lab/simulator/service/http-connection.ts';
import { isOrderPath, type WireRequest } from '#lab/simulator/service/http-text.ts';
import { isCreate } from '#lab/simulator/service/own-strategies.ts';
import type { QuoteFrame } from '#lab/simulator/service/quote-frames.ts';
import type { FilmObserver, Stage } from '#lab/simulator/watch/filming.ts';
import { LIGHT_CODES, LOOKED_AT, type Occasion } from './checks.ts';
import type { CatalogueLine } from './numbers.ts';
import { placeOf } from './places.ts';
import { Recorder } from './recorder.ts';
import { StageRooms } from './stage-rooms.ts';

interface CameraOptions {
  readonly numbers: ReadonlyMap<string, CatalogueLine>;
  /** Interval of samples of the rooms, in milliseconds of the history. */
  readonly everyMs: number;
}

const BODY = /"quoteId":"([^"]*)","side":"([^"]*)"/;

/** Invariants that the auditor checks when a fault strikes. */
const JUDGED_AS_IT_STRIKES: Partial<Readonly<Record<SimulatedFault, Occasion>>> = { F49: 'second', F69: 'standing', F73: 'strangers' };

/** Films a simulated history: messages as seen on the wire, and samples of the rooms at intervals and at each fault. */
export class Camera implements FilmObserver {
  readonly reel = new Recorder(LIGHT_CODES);
  private readonly stage: Stage;
  private readonly options: CameraOptions;
  private readonly rooms: StageRooms;
  /** Connections that wait for the answer to an order, with the order in words. */
  private readonly awaited = new Map<HttpConnection, string>();
  private nextAt = 0;

  constructor(stage: Stage, options: CameraOptions) {
    this.stage = stage;
    this.options = options;
    this.rooms = new StageRooms(stage);
  }

  get now(): number {
    return Math.round(this.stage.scene.world.now);
  }

  step(): void {
    if (this.now < this.nextAt) return;
    this.nextAt = this.now + this.options.everyMs;
    this.inspect();
  }

  /** A line of the history, without its time. */
  addLine(text: string): void {
    this.reel.tell(this.now, text);
  }

  struck(fault: SimulatedFault, words: string): void {
    const said = words === '' ? (this.options.numbers.get(fault)?.what ?? '') : words;
    const isTold = this.reel.strike({ t: this.now, fault, words: said, room: placeOf(fault) }, words !== '');
    if (isTold) this.nextAt = 0;
    const at = JUDGED_AS_IT_STRIKES[fault];
    if (at) this.looked(at);
  }

  delivered({ quote, text }: QuoteFrame): void {
    this.rooms.quoted(quote);
    const words = quote ? `${quote.product} ${quote.sell.price} / ${quote.buy.price}` : text.slice(0, 80);
    this.travel('quote', ['service', 'daemon'], words, quote && !quote.spoiled ? 'plain' : 'bad');
  }

  subscribed(connection: number, query: string, isAcked: boolean): void {
    this.looked('subscribed');
    this.rooms.subscribed(connection, query, isAcked);
  }

  closed(connection: number): void {
    this.rooms.closed(connection);
  }

  opening(): void {
    this.looked('opening');
  }

  wrote(request: WireRequest, connection: HttpConnection): void {
    this.rooms.requested();
    if (isCreate(request)) this.looked('creating');
    if (!isOrderPath(request.path)) return;
    this.looked('order');
    const [, quoteId = '', side = ''] = BODY.exec(request.body) ?? [];
    const words = `${side.toLowerCase()} on quote ${quoteId.slice(0, 8)}`;
    this.awaited.set(connection, words);
    this.travel('order', ['daemon', 'service'], words, 'plain');
  }

  came(connection: HttpConnection, { isClear }: { readonly isClear: boolean }): void {
    const order = this.awaited.get(connection);
    if (order === undefined) return;
    this.awaited.delete(connection);
    this.travel('answer', ['service', 'daemon'], `${order}: ${isClear ? 'executed' : 'no clear answer'}`, isClear ? 'good' : 'warn');
  }

  committed(decisions: readonly Decision[], isSynced: boolean): void {
    this.rooms.committed(decisions.length, isSynced);
    for (const { kind } of decisions) {
      if (kind === 'accepted' || kind === 'rejected') this.looked('answered');
      if (kind === 'expired' || kind === 'not_sent') this.looked('notSent');
      if (kind === 'unknown') this.looked('unknown');
    }
    if (decisions.length === 0) return;
    const kinds = [...new Set(decisions.map(({ kind }) => kind))].join(', ');
    this.travel('row', ['daemon', 'disk'], kinds, isSynced ? 'good' : 'warn');
  }

  notice(level: string): void {
    this.looked('told');
    if (level === 'error') this.nextAt = 0;
  }

  starting(): void {
    this.looked('starting');
    this.nextAt = 0;
  }

  ended(how: 'crash' | 'stop' | 'fault'): void {
    this.rooms.ended(how);
    this.awaited.clear();
    this.nextAt = 0;
  }

  leftOver(): void {
    this.looked('leftOver');
  }

  threw(): void {
    this.looked('threw');
  }

  halted(_how: string, isTold: boolean): void {
    if (isTold) this.looked('halted');
    this.nextAt = 0;
  }

  resumed(): void {
    this.nextAt = 0;
  }

  answered(transferId: string, status: number, isGenuine: boolean): void {
    this.looked(isGenuine ? 'notified' : 'forged');
    const tone = status >= 200 && status < 300 ? 'good' : 'warn';
    this.travel('notification', ['service', 'daemon'], `transfer ${transferId.slice(0, 8)}: ${status}`, tone);
  }

  /** Ends the history: the final checks, and the last sample. */
  end(broken: { readonly invariant: string; readonly what: string } | null): void {
    if (broken) this.reel.break(broken.invariant, broken.what);
    else this.looked('end');
    this.inspect();
  }

  private inspect(): void {
    this.reel.sample(this.now, this.rooms.lines());
  }

  private looked(at: Occasion): void {
    this.reel.count(LOOKED_AT[at]);
  }

  private travel(what: Travel['what'], [from, to]: readonly [RoomName, RoomName], text: string, tone: Tone): void {
    this.reel.travel({ t: this.now, what, from, to, text, tone });
  }
}
