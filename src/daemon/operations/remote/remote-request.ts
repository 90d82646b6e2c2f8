import { serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import { StrategyRequests } from '#adapters/service-client/rest/strategy-requests.ts';
import type { Settings } from '#config/settings.ts';
import type { RemoteAsk } from '#domain/remote.ts';

/** A request as it would be sent, without the token. */
interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The address of `kairos venue`, shown if no service is configured. */
const PAPER = 'http://127.0.0.1:8090';

/** The request that `asked` would make, without sending it. Throws CONFIG_INVALID for an address that cannot be used. */
export function requestOf(asked: RemoteAsk, { service }: Pick<Settings, 'service'>): ShownRequest {
  const address = serviceAddress(service.baseUrl ?? PAPER);
  const { method, path, headers, body } = new StrategyRequests(address, service).of(asked);
  return {
    method,
    url: `${address.origin}${path}`,
    headers: { accept: 'application/json', authorization: 'Bearer (the token)', ...headers },
    body: body ?? null,
  };
}
