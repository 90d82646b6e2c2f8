import type { ServerResponse } from 'node:http';
import type { Cancel, Timers } from '#ports/timers.ts';
import { changeOf } from './changes.ts';
import type { PageTarget } from './target.ts';

/** Digits of a figure that a change tells. */
const DIGITS = 12;
/** Looks at the state this often while anyone listens. */
const LOOK_MS = 500;
/** Without any change the state is told again, and the line shows that it lives. */
const BEAT_MS = 4_000;
/** A state that takes long to be made, of hundreds of lanes, is made so seldom that it takes no more than one part in twenty of the time. */
const MAX_OFTEN = 20;
/** What a client may leave unread; one who leaves more is cut off (F74). */
const MAX_BUFFERED = 1024 * 1024;
/** A client that has so much to read is told the next state later: the newest is the one that counts. */
const FULL = 64 * 1024;
/** A client that reads nothing for this time is cut off as well. */
const STALLED_MS = 30_000;
/** Rows that are sent in one go to one who catches up. */
const ROWS = 500;
/** Rows that one is told who was told nothing before. */
const FIRST_ROWS = 100;

interface Client {
  readonly response: ServerResponse;
  /** The last row that its page has; null for a page without any. */
  readonly after: number | null;
  /** The last row that it was told, or needs not be told; undefined until the journal was asked. */
  seq: number | undefined;
  /** The states that it was told last, by what they were numbered. */
  state: number;
  past: string;
  /** Since when nothing was read; undefined while it reads. */
  stuckMs: number | undefined;
}

/** The newest state as bytes for everyone, whole and as what changed since the one before, and until when another one is not worth its making. */
interface MadeState {
  readonly number: number;
  readonly turn: number;
  readonly atMs: number;
  readonly freshUntilMs: number;
  readonly value: unknown;
  readonly bytes: Buffer;
  readonly change: Buffer;
}

/** A row as bytes for everyone. */
interface Row {
  readonly seq: number;
  readonly bytes: Buffer;
}

/**
 * Tells all pages what is going on: each thing is made into bytes once, and nothing is looked at while nobody listens. States
 * are left out for who is slow; decisions never are, but one who does not read is cut off and resumes by the number of the
 * last one that it has.
 */
export class PageStream {
  private readonly target: PageTarget;
  private readonly timers: Pick<Timers, 'monotonicMs' | 'every'>;
  private readonly clients = new Set<Client>();
  private stopPolling: Cancel | undefined;
  private telling = false;
  /** Another round of states is due. */
  private wanted = false;
  private looking = false;
  private state: MadeState | undefined;
  private past = '';
  private pastBytes: Buffer = Buffer.alloc(0);
  /** When it was read, and the last row then. */
  private pastRead = { atMs: Number.NEGATIVE_INFINITY, seq: -1 };
  /** The newest rows. */
  private rows: Row[] = [];
  /** The rows that a page was told last. */
  private told: { readonly from: number; readonly upTo: number; readonly bytes: Buffer } = { from: 0, upTo: 0, bytes: Buffer.alloc(0) };
  private closed = false;

  constructor(target: PageTarget, timers: Pick<Timers, 'monotonicMs' | 'every'>) {
    this.target = target;
    this.timers = timers;
  }

  get count(): number {
    return this.clients.size;
  }

  /** Takes over an answer whose head is written. `after`: the last row that its page has; null for a page without any. */
  join(response: ServerResponse, after: number | null): void {
    const client: Client = { response, after, seq: undefined, state: 0, past: '', stuckMs: undefined };
    this.clients.add(client);
    response.once('close', () => this.leave(client));
    response.on('error', () => this.leave(client));
    response.write(eventBytes('hello', JSON.stringify(this.target.hello())));
    void this.poll();
    this.stopPolling ??= this.timers.every(LOOK_MS, () => void this.poll());
  }

  close(): void {
    this.closed = true;
    for (const { response } of this.clients) response.end();
    this.stopPolling?.();
  }

  /** One round: the state where it has changed, what the journal tells, and new rows. */
  private async poll(): Promise<void> {
    await this.tellStates();
    if (this.looking) return;
    this.looking = true;
    try {
      await this.gatherRows();
      await this.readPast();
      await this.inTurns(async (client) => {
        const isTold = this.tellPast(client);
        return (await this.tellRows(client)) || isTold;
      });
    } catch {
      // A failed read is repeated in the next round.
    } finally {
      this.looking = false;
    }
  }

  private async tellStates(): Promise<void> {
    this.wanted = true;
    if (this.telling) return;
    this.telling = true;
    while (this.wanted) {
      this.wanted = false;
      await this.inTurns((client) => this.tellState(client));
    }
    this.telling = false;
  }

  /**
   * Tells each page, and lets the loop take a turn after each that was told something: a quote waits for one write, however many pages
   * there are. An error of a page stays with the page and never reaches trading.
   */
  private async inTurns(tell: (client: Client) => boolean | Promise<boolean>): Promise<void> {
    for (const client of this.clients) {
      try {
        if (await tell(client)) await new Promise<void>((resolve) => this.target.soon(resolve));
      } catch {
        // What failed is told in the next round.
      }
    }
  }

  /** True if it was told something. */
  private tellState(client: Client): boolean {
    if (this.isStalled(client) || isFull(client)) return false;
    const { number, bytes, change } = this.newestState();
    if (client.state === number) return false;
    client.response.write(client.state > 0 && client.state === number - 1 ? change : bytes);
    client.state = number;
    return true;
  }

  private tellPast(client: Client): boolean {
    if (client.past === this.past || isFull(client)) return false;
    client.past = this.past;
    client.response.write(this.pastBytes);
    return true;
  }

  private newestState(): MadeState {
    const turn = this.target.turn();
    const now = this.timers.monotonicMs();
    const { state } = this;
    if (state && now < (turn === state.turn ? state.atMs + BEAT_MS : state.freshUntilMs)) return state;
    const json = JSON.stringify(this.target.state());
    const value: unknown = JSON.parse(json);
    const bytes = eventBytes('state', json);
    const change = eventBytes('change', JSON.stringify(changeOf(state?.value, value) ?? {}, shortened));
    const tookMs = this.timers.monotonicMs() - now;
    const freshUntilMs = now + Math.max(LOOK_MS / 2, tookMs * MAX_OFTEN);
    this.state = { number: (state?.number ?? 0) + 1, turn, atMs: now, freshUntilMs, value, bytes, change };
    return this.state;
  }

  /** Only rows change what the journal tells; besides, times come nearer. */
  private async readPast(): Promise<void> {
    const seq = this.rows.at(-1)?.seq ?? 0;
    const atMs = this.timers.monotonicMs();
    if (seq === this.pastRead.seq && atMs - this.pastRead.atMs < BEAT_MS) return;
    const { json, whole } = await this.target.past();
    // What has not read all of a long run yet is asked again in the next round.
    if (whole) this.pastRead = { atMs, seq };
    if (json === this.past) return;
    this.past = json;
    this.pastBytes = eventBytes('past', json);
  }

  private async gatherRows(): Promise<void> {
    const last = this.rows.at(-1)?.seq ?? Math.max(0, (await this.target.end()) - 1);
    this.rows.push(...(await this.target.feed(last, ROWS)).map(rowOf));
    if (this.rows.length > 2 * ROWS) this.rows = this.rows.slice(-ROWS);
  }

  private async tellRows(client: Client): Promise<boolean> {
    client.seq ??= await this.beginOf(client);
    const { seq } = client;
    const [first] = this.rows;
    if (!first || isFull(client)) return false;
    const rows = seq >= first.seq - 1 ? this.rows : (await this.target.feed(seq, ROWS)).map(rowOf);
    const news = rows.slice(rows.findIndex((row) => row.seq > seq));
    const last = news.at(-1);
    if (!last || last.seq <= seq) return false;
    client.seq = last.seq;
    client.response.write(this.joined(news));
    return true;
  }

  /** Who has no row of this journal begins with the newest ones. */
  private async beginOf({ after }: Client): Promise<number> {
    const end = await this.target.end();
    return after !== null && after <= end ? after : Math.max(0, end - FIRST_ROWS);
  }

  /** Pages that have heard the same so far are told the same: made once for all of them. */
  private joined(rows: readonly Row[]): Buffer {
    const from = rows[0]?.seq ?? 0;
    const upTo = rows.at(-1)?.seq ?? 0;
    if (this.told.from !== from || this.told.upTo !== upTo) {
      this.told = { from, upTo, bytes: Buffer.concat(rows.map(({ bytes }) => bytes)) };
    }
    return this.told.bytes;
  }

  /** Cuts off a client that does not read. */
  private isStalled(client: Client): boolean {
    const { response } = client;
    const now = this.timers.monotonicMs();
    if (!response.writableNeedDrain) client.stuckMs = undefined;
    else client.stuckMs ??= now;
    const isStalled = response.writableLength > MAX_BUFFERED || (client.stuckMs !== undefined && now - client.stuckMs > STALLED_MS);
    if (isStalled) response.destroy();
    return isStalled;
  }

  private leave(client: Client): void {
    this.clients.delete(client);
    if (this.clients.size > 0 || this.closed) return;
    this.stopPolling?.();
    this.stopPolling = undefined;
    this.rows = [];
    this.state = undefined;
  }
}

const isFull = ({ response }: Client): boolean => response.writableLength > FULL || response.destroyed;

const rowOf = ({ seq, json }: { readonly seq: number; readonly json: string }): Row => ({
  seq,
  bytes: Buffer.from(`id: ${seq}\nevent: decision\ndata: ${json}\n\n`),
});

const shortened = (_key: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value);

const eventBytes = (name: string, json: string): Buffer => Buffer.from(`event: ${name}\ndata: ${json}\n\n`);
