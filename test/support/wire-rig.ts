import { setTimeout as pause } from 'node:timers/promises';
import { WireBroker } from '#adapters/service-client/orders/broker.ts';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import { RawServer } from '../adapters/service-client/support/raw-server.ts';
import { serviceSettings } from '../adapters/service-client/support/service-settings.ts';
import { until } from '../adapters/service-client/support/until.ts';
import { quote } from './market-data.ts';
import { Rig, type RigOptions, START } from './rig.ts';
import { VirtualTimers } from './virtual-timers.ts';

/** How the service meets an order; its number counts from 1. */
export type Meeting = (socket: Parameters<Parameters<typeof RawServer.start>[0]>[1], order: number) => void;

/**
 * The engine of a rig with the broker that talks to the service: real sockets and bytes, virtual time on both sides.
 */
export class WireRig {
  readonly rig: Rig;
  readonly timers = new VirtualTimers(START);
  readonly broker: WireBroker;
  readonly server: RawServer;
  /** How long the process stood still between signing and the gate. */
  signedAgoMs = 0;
  private told = 0;

  private constructor(server: RawServer, options: RigOptions, baseUrl: string) {
    this.server = server;
    this.rig = new Rig(options);
    const { timers } = this;
    const serviceClock = { now: () => ({ ms: timers.wallMs(), halfWidthMs: 0 }) };
    const gateTimers = { wallMs: () => timers.wallMs(), monotonicMs: () => timers.monotonicMs() + this.signedAgoMs };
    const gate = new RealTimeGate({ timers: gateTimers, serviceClock, latch: this.rig.latch, marginMs: 20 });
    this.broker = new WireBroker({ baseUrl, service: serviceSettings(), gate, timers, warmSockets: 1 });
    this.rig.broker.passOnTo(this.broker);
  }

  /** `baseUrl` null: the server that meets each order as `meet` says. */
  static async start(options: RigOptions, meet: Meeting, baseUrl: string | null = null): Promise<WireRig> {
    let count = 0;
    const server = await RawServer.start((_request, socket) => {
      count += 1;
      meet(socket, count);
    });
    const made = new WireRig(server, options, baseUrl ?? server.baseUrl);
    if (baseUrl === null) await made.warm();
    return made;
  }

  /** A connection waits for the next order. */
  async warm(): Promise<void> {
    await until(() => this.broker.ready > 0, 'a connection is warm');
  }

  /** Both times move: the engine's, and that of gate and sockets. */
  move(ms: number): void {
    this.rig.moveBy(ms);
    this.timers.advance(ms);
    this.rig.moveBy(0);
  }

  /** A quote at that price, good for so long. */
  quote(price: number, leftMs = 3000): void {
    this.rig.quote(quote({ buy: price, validUntil: this.rig.clock.now() + leftMs }));
  }

  /** Rows that were journaled since the last look, once they are `expected` or time is over. */
  async rows(expected: readonly string[]): Promise<readonly string[]> {
    for (let tries = 0; tries < 1000; tries++) {
      this.rig.moveBy(0);
      const rows = this.rig.story().slice(this.told);
      if (rows.length >= expected.length && (expected.length > 0 || tries > 2)) {
        this.told += rows.length;
        return rows;
      }
      await pause(5);
    }
    return this.rig.story().slice(this.told);
  }

  async close(): Promise<void> {
    const closed = this.broker.close(0);
    this.timers.advance(1);
    await closed;
    await this.server.stop();
    this.rig.close();
    this.rig.remove();
  }
}
