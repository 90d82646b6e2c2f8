import type { Lane } from '#domain/lane.ts';
import type { LaneId } from '#domain/names.ts';
import { ReserveSocket, type ReserveSocketOptions } from './reserve-socket.ts';
import type { Subscription } from './subscription.ts';

/** The reserve connections of a feed: each serves one lent lane at a time. */
export class ReservePool {
  private readonly sockets: readonly ReserveSocket[];

  constructor(size: number, options: ReserveSocketOptions) {
    this.sockets = Array.from({ length: size }, () => new ReserveSocket(options));
  }

  start(): void {
    for (const socket of this.sockets) socket.start();
  }

  /** Lends a connection to the lane, one that can ask at once where there is a choice. Whoever asks has counted: one is free. */
  acquire(lane: Lane, subscription: Subscription): void {
    const free = this.sockets.filter((socket) => socket.lane === null);
    (free.find((socket) => socket.isReady) ?? free[0])?.acquire(lane, subscription);
  }

  release(lane: LaneId): void {
    this.sockets.find((socket) => socket.lane?.id === lane)?.release();
  }

  /** Opens every connection anew (F57). */
  replace(why: string): void {
    for (const socket of this.sockets) socket.replace(why);
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }
}
