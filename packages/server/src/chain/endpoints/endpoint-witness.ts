import type { Logger } from '@tidegate/core/base';
import type { AccountsResult } from '../rpc/account-batches.ts';
import type { EndpointWitness } from '../source/endpoint-witness.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import type { EndpointRequest } from './failover-reads.ts';

type WitnessOptions = {
  /** Endpoints of one host have the same name. */
  readonly all: readonly EndpointHealth[];
  /** Sends a request to the endpoint and checks the slot of the result. */
  readonly send: (request: EndpointRequest<AccountsResult>) => Promise<AccountsResult>;
  readonly alarms: SourceAlarms;
  readonly log: Logger;
};

export function endpointWitness(
  endpoint: EndpointHealth,
  { all, send, alarms, log }: WitnessOptions,
): EndpointWitness {
  const same = all.filter(({ reader }) => reader.name === endpoint.reader.name);
  const number = same.length > 1 ? ` (${same.indexOf(endpoint) + 1})` : '';
  const name = `${endpoint.reader.name}${number}`;
  return {
    name,
    get isSetAside() {
      return endpoint.isSetAside;
    },
    async getAccounts(addresses, minSlot) {
      if (endpoint.retryAfterMs > 0) throw endpoint.waitError();
      return await send({
        send: (reader) => reader.getAccounts(addresses, minSlot),
        slotOf: ({ slot }) => slot,
      });
    },
    setAside(reason) {
      if (endpoint.isSetAside) return;
      endpoint.setAside(reason);
      alarms.raise('wrong-accounts', name, reason);
      log.error({ source: name, reason }, 'endpoint returns wrong accounts and is set aside');
    },
    restore() {
      if (!endpoint.isSetAside) return;
      endpoint.setAside(undefined);
      log.info({ source: name }, 'endpoint returns the same accounts as the others again');
    },
  };
}
