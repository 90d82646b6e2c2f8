import { statSync } from 'node:fs';
import type { RoomLine, Tone } from '#lab/arena/server/film.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import type { Stage } from '#lab/simulator/watch/filming.ts';
import type { Rooms } from './recorder.ts';

interface SubscribedQuery {
  query: string;
  isAcked: boolean;
}

const GOOD_TRADING: Readonly<Record<string, Tone>> = { ACTIVE: 'good', REDUCING: 'warn', DISARMED: 'warn', HALTED: 'bad' };

/** The state of each room of a simulated world, in lines for people. Changes nothing. */
export class StageRooms {
  private readonly stage: Stage;
  private readonly prices = new Map<string, string>();
  private readonly connections = new Map<number, SubscribedQuery>();
  private readonly counts = { quotes: 0, requests: 0, rows: 0, syncs: 0, crashes: 0, starts: 0 };
  private unsynced = 0;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  quoted(quote: SimulatedQuote | null): void {
    this.counts.quotes += 1;
    if (quote && !quote.spoiled) this.prices.set(quote.product, `${quote.sell.price} / ${quote.buy.price}`);
  }

  requested(): void {
    this.counts.requests += 1;
  }

  subscribed(connection: number, query: string, isAcked: boolean): void {
    this.connections.set(connection, { query, isAcked });
  }

  closed(connection: number): void {
    this.connections.delete(connection);
  }

  committed(rows: number, isSynced: boolean): void {
    this.counts.rows += rows;
    if (isSynced) this.counts.syncs += 1;
    this.unsynced = isSynced ? 0 : this.unsynced + 1;
  }

  ended(how: 'crash' | 'stop' | 'fault'): void {
    if (how !== 'stop') this.counts.crashes += 1;
    this.unsynced = 0;
  }

  lines(): Rooms {
    return { service: this.service(), network: this.network(), daemon: this.daemon(), disk: this.disk() };
  }

  private service(): readonly RoomLine[] {
    const { scene, service } = this.stage;
    const besideMs = scene.time.now - scene.machine.wallMs();
    const held = [...service.books.changes()].filter(([, by]) => !by.isZero());
    return [
      line('clock', `${signed(besideMs / 1000)} s beside the machine's`, Math.abs(besideMs) > 5_000 ? 'warn' : 'plain'),
      line('executed', `${service.books.executed.size} orders`),
      ...[...this.prices].sort().map(([product, price]) => line(product, price)),
      ...held.map(([currency, by]) => line(currency, `${by.isPositive() ? '+' : ''}${by.toDecimalPlaces(6).toString()} since the start`)),
    ];
  }

  private network(): readonly RoomLine[] {
    const { plan } = this.stage.scene;
    const [low, high] = plan.latencyMs;
    const feeds = [...this.connections].map(([number, { query, isAcked }]) =>
      line(`feed ${number}`, `${laneIn(query)}${isAcked ? '' : ', not acknowledged'}`, isAcked ? 'plain' : 'warn'),
    );
    return [
      line('delay', `${low} to ${high} ms`),
      line('quotes', `${this.counts.quotes} delivered`),
      line('requests', `${this.counts.requests} written`),
      ...(feeds.length === 0 ? [line('feed', 'no subscription', 'bad')] : feeds),
    ];
  }

  private disk(): readonly RoomLine[] {
    const { disk } = this.stage;
    const { rows, syncs, crashes } = this.counts;
    return [
      line('journal', `${rows} rows in ${syncs} commits`),
      line('written, not synced', `${this.unsynced}`, this.unsynced > 0 ? 'warn' : 'plain'),
      line('file', kilobytes(disk.journal)),
      line('write-ahead log', kilobytes(`${disk.journal}-wal`)),
      line('crashes it has seen', `${crashes}`),
    ];
  }

  private daemon(): readonly RoomLine[] {
    const { supervisor, scene } = this.stage;
    const running = supervisor.running;
    if (!running?.daemon) return [line('process', supervisor.current ? 'starts' : 'none', 'bad')];
    const { trading, time, lanes, strategies, orders, unknowns } = running.daemon.inspect();
    const dead = lanes.filter(({ untradable }) => untradable !== null);
    return [
      line('process', scene.machine.isHeldUp ? 'held up' : 'runs', scene.machine.isHeldUp ? 'warn' : 'good'),
      line('trading', trading, GOOD_TRADING[trading] ?? 'plain'),
      line("service's time", time.reason ?? `known to ${Math.round(time.halfWidthMs ?? 0)} ms`, time.reason === null ? 'plain' : 'warn'),
      line('lanes', `${lanes.length - dead.length} of ${lanes.length} tradable`, dead.length > 0 ? 'warn' : 'plain'),
      ...dead.slice(0, 3).map(({ lane, untradable }) => line(lane, untradable ?? '', 'warn')),
      line('open orders', `${orders.length}`),
      line('unknown', `${unknowns}`, unknowns > 0 ? 'bad' : 'plain'),
      ...strategies.map(({ id, product, position, paused, disabled }) =>
        line(id, `${product} ${position}${disabled ? ', disabled' : paused ? ', paused' : ''}`, disabled || paused ? 'warn' : 'plain'),
      ),
    ];
  }
}

const line = (label: string, value: string, tone: Tone = 'plain'): RoomLine => ({ label, value, tone });

const signed = (value: number): string => `${value >= 0 ? '+' : ''}${value.toFixed(1)}`;

function kilobytes(file: string): string {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  return `${Math.round(size / 1024)} kB`;
}

/** The content of a subscription, in words. */
function laneIn(query: string): string {
  const { productCode, inputSize, inputValue }: { productCode?: string; inputSize?: unknown; inputValue?: unknown } = JSON.parse(query);
  return inputSize == null ? `${productCode} for ${inputValue}` : `${inputSize} ${productCode}`;
}
