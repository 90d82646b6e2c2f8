import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import type { QuoteFrame } from '#lab/simulator/service/quote-frames.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';

interface Connection {
  query: string;
  isAcked: boolean;
  /** World time; null while it is open. */
  closedAt: number | null;
}

/** Window of connection attempts for each lane, in milliseconds (I23). */
const WINDOW_MS = 60_000;
const ATTEMPTS_A_LANE = 20;
/** Tolerance of pacing at a start, in milliseconds. */
const PACED_MS = 2_000;
const FIRST_A_SECOND = 11;

/** The feed connections on the wire. */
export class FeedConnections {
  private readonly scene: Scene;
  private readonly violate: Violate;
  private readonly connections = new Map<number, Connection>();
  private attempts: number[] = [];
  private mostOpen = 0;
  private wanted = 0;
  private since = 0;

  constructor(scene: Scene, violate: Violate) {
    this.scene = scene;
    this.violate = violate;
  }

  /** A process starts with this number of connections. */
  expect(connections: number): void {
    this.wanted = connections;
    this.attempts = [];
    this.since = this.scene.world.now;
    this.mostOpen = 0;
  }

  opening(): void {
    const { now } = this.scene.world;
    this.attempts = [...this.attempts.filter((at) => at > now - WINDOW_MS), now];
    const together = this.attempts.filter((at) => at > now - 1_000).length;
    if (now - this.since < PACED_MS && together > FIRST_A_SECOND)
      this.violate('I23', `${together} first connections were opened within a second`);
    const most = this.wanted * ATTEMPTS_A_LANE;
    if (this.attempts.length > most)
      this.violate('I23', `the feed was opened ${this.attempts.length} times within a minute by ${this.wanted} connections`);
  }

  subscribed(number: number, query: string, isAcked: boolean): void {
    const connection = this.connections.get(number) ?? { query, isAcked, closedAt: null };
    Object.assign(connection, { query, isAcked });
    this.connections.set(number, connection);
    const open = [...this.connections.values()].filter(({ closedAt }) => closedAt === null).length;
    this.mostOpen = Math.max(this.mostOpen, open);
    if (open > this.wanted) this.violate('I22', `${open} subscriptions are open, and ${this.wanted} are wanted`);
  }

  closed(number: number): void {
    const connection = this.connections.get(number);
    if (connection) connection.closedAt ??= this.scene.world.now;
  }

  delivered(_frame: QuoteFrame, _number: number): void {}

  /** Why a quote must not be traded by an order that was decided at this world time: its connection was gone by then, or of something else. */
  faultOf({ connection: number, query }: Pick<SimulatedQuote, 'connection' | 'query'>, decidedAt: number): string | null {
    const connection = this.connections.get(number);
    if (!connection) return 'no subscription brought it';
    if (connection.closedAt !== null && connection.closedAt < decidedAt) return 'its connection is closed';
    if (connection.query !== query) return `it is of the subscription ${query}, and its connection has another one`;
    return connection.isAcked ? null : 'its subscription was not acknowledged';
  }
}
