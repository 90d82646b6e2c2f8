import { Backoff } from '#adapters/service/rest/backoff.ts';
import { checkProducts } from '#apps/assembly/assemble.ts';
import { quotedProducts, type Service } from '#apps/assembly/service.ts';
import type { StrategySettings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { Product } from '#domain/product.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';

/** How long a service may take to have its products; then the process ends, and whoever keeps it starts it again. */
const PATIENCE_MS = 60_000;
const MAX_TOLD = 5;

/**
 * The products at the start of a run, held against the strategies. A list that is empty is asked for again with back-off: a service that is
 * starting has none yet. A product that cannot be read is not tradable, which is said of it alone. Rejects with a KairosError.
 */
export async function startProducts(
  service: Pick<Service, 'client' | 'leftOut'>,
  { strategies, timers, notice }: { readonly strategies: readonly StrategySettings[]; readonly timers: Timers; readonly notice: Notice },
): Promise<readonly Product[]> {
  const backoff = new Backoff({ timers, leastMs: 500, mostMs: 8000, mostPerMinute: 20 });
  const endMs = timers.monotonicMs() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    backoff.attempt();
    const products = await quotedProducts(service.client);
    if (products.length > 0 || strategies.length === 0) {
      tellLeftOut(service.leftOut, notice);
      checkProducts(tradable(strategies, service.leftOut, notice), products, service.leftOut);
      return products;
    }
    const said = `the service lists no products${service.leftOut.size > 0 ? ' that can be read' : ''} (exchangeCode=VB)`;
    if (timers.monotonicMs() >= endMs) {
      tellLeftOut(service.leftOut, notice);
      throw new KairosError('SERVICE_UNREADABLE', `${said}, for ${PATIENCE_MS / 1000} s; check service.baseUrl and service.paths.products`);
    }
    if (tries === 1) notice('warn', `${said}; asked again for ${PATIENCE_MS / 1000} s`);
    await new Promise<void>((resolve) => timers.after(250 + backoff.afterFailure(false), resolve));
  }
}

/** A product that cannot be read stops its own strategies, and no others; where there are no others, that is the fault. */
function tradable(
  strategies: readonly StrategySettings[],
  leftOut: ReadonlyMap<string, string>,
  notice: Notice,
): readonly StrategySettings[] {
  const whys = new Map([...leftOut].map(([what, why]) => [what.toLowerCase(), why]));
  const unread = ({ product }: StrategySettings): string | undefined => whys.get(`product ${product}`);
  const good = strategies.filter((strategy) => unread(strategy) === undefined);
  if (good.length === 0) return strategies;
  for (const strategy of strategies) {
    const why = unread(strategy);
    if (why !== undefined) notice('error', `strategy ${strategy.id} does not trade: the service lists ${strategy.product}, but ${why}`);
  }
  return good;
}

function tellLeftOut(leftOut: ReadonlyMap<string, string>, notice: Notice): void {
  for (const [what, why] of [...leftOut].slice(0, MAX_TOLD)) notice('warn', `${what} is left out and cannot be traded: ${why}`);
  if (leftOut.size > MAX_TOLD) notice('warn', `${leftOut.size - MAX_TOLD} more are left out: npx kairos doctor`);
}
