import { KairosError } from '#domain/errors.ts';
import type { RemoteAsk } from '#domain/remote.ts';
import type { Call } from './http-call.ts';
import { type ServiceAddress, servicePath } from './service-address.ts';
import type { ServiceSettings } from './settings.ts';

const API_VERSION = /^[\x21-\x7e]{1,64}$/;

/** Turns what is asked of the service's strategies into the request that is sent, byte for byte (spec 4.1), but for the token. */
export class StrategyRequests {
  private readonly address: ServiceAddress;
  private readonly service: Pick<ServiceSettings, 'paths' | 'brand' | 'apiVersion'>;

  /** Throws CONFIG_INVALID for a version that no header can carry. */
  constructor(address: ServiceAddress, service: Pick<ServiceSettings, 'paths' | 'brand' | 'apiVersion'>) {
    this.address = address;
    this.service = service;
    if (service.apiVersion !== null && !API_VERSION.test(service.apiVersion)) {
      throw new KairosError('CONFIG_INVALID', 'service.apiVersion: the version has characters that no header can carry');
    }
  }

  of(asked: RemoteAsk): Call {
    switch (asked.action) {
      case 'create':
        // No `se-api-version`: the specification lists it for every strategy endpoint except this one.
        return this.call('POST', 'action/create', { what: 'the create', body: { ...asked.fields, autoRun: false } });
      case 'modify':
        return this.on(asked, 'PATCH', asked.changes);
      case 'delete':
        return this.on(asked, 'DELETE');
      case 'start':
      case 'stop':
      case 'pause':
        return this.on(asked, 'PUT');
      case 'schedule-opening-pause': {
        const { fromTime, toTime } = asked;
        return this.on(asked, 'PUT', { fromTime, toTime });
      }
      case 'flush': {
        const { longPositionTargetPercentage, shortPositionTargetPercentage } = asked;
        return this.on(asked, 'PUT', { longPositionTargetPercentage, shortPositionTargetPercentage });
      }
      case 'pauseAll':
      case 'resumeAll':
        return this.call('PUT', asked.action, { what: `the ${asked.action}`, headers: this.version() });
      case 'deleteAll':
        return this.call('DELETE', asked.action, { what: 'the deleteAll', headers: this.version() });
    }
  }

  /** The question for all strategies (notes, "Strategies"): no body, no version. */
  find(): Call {
    return this.call('POST', 'find', { what: 'the list of strategies' });
  }

  private on({ action, strategyId }: Extract<RemoteAsk, { strategyId: string }>, method: Call['method'], body?: object): Call {
    const headers = this.version();
    return this.call(method, `${strategyId}/action/${action}`, {
      what: `the ${action} of strategy ${strategyId}`,
      headers,
      ...(body && { body }),
    });
  }

  private call(
    method: Call['method'],
    path: string,
    { what, headers = {}, body }: { readonly what: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: object },
  ): Call {
    const { paths, brand } = this.service;
    return {
      method,
      path: servicePath(this.address, `${paths.strategies}/${path}`, brand),
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      what,
    };
  }

  private version(): Readonly<Record<string, string>> {
    const { apiVersion } = this.service;
    return apiVersion === null ? {} : { 'se-api-version': apiVersion };
  }
}
