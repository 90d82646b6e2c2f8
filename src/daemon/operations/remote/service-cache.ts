import type { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import { wireCode } from '#adapters/service-client/spelling.ts';
import type { Product } from '#domain/product.ts';
import type { Timers } from '#ports/timers.ts';

/** How long read limits may be used, in milliseconds; they change rarely. */
const FRESH_MS = 60_000;

/** The service's products of every exchange, by code, read again when they are a minute old. */
export class ServiceCache {
  private readonly client: Pick<ServiceClient, 'products'>;
  private readonly timers: Pick<Timers, 'monotonicMs'>;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private products: ReadonlyMap<string, Product> = new Map();
  private reading: Promise<void> | null = null;

  constructor(client: Pick<ServiceClient, 'products'>, timers: Pick<Timers, 'monotonicMs'>) {
    this.client = client;
    this.timers = timers;
  }

  /** One product; undefined if the service does not list it. Rejects with a KairosError if the list cannot be read. */
  async product(code: string): Promise<Product | undefined> {
    if (this.timers.monotonicMs() - this.readAtMs > FRESH_MS) {
      // Concurrent callers share one request.
      this.reading ??= this.read().finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    return this.products.get(code) ?? this.products.get(code.toLowerCase());
  }

  private async read(): Promise<void> {
    const list = await this.client.products();
    // The service's own spelling overrides other forms.
    this.products = new Map([...list.map((one) => [one.code, one] as const), ...list.map((one) => [wireCode(one), one] as const)]);
    this.readAtMs = this.timers.monotonicMs();
  }
}
