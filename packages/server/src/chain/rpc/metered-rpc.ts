import { EndpointMeter, type EndpointMeterOptions } from '../budget/endpoint-meter.ts';
import type { EndpointUrl } from '../endpoints/endpoint-url.ts';
import { createRpcCalls, type JsonRpc } from './json-rpc.ts';
import { createRpcBatch, type RpcBatch } from './rpc-batch.ts';
import { openRpcEndpoint } from './rpc-exchange.ts';

/** Calls to one endpoint, one by one or in batches, all counted by one meter. */
export type MeteredRpc = {
  readonly rpc: JsonRpc;
  readonly sendBatch: RpcBatch;
  readonly meter: EndpointMeter;
};

export function openMeteredRpc(
  url: EndpointUrl,
  name: string,
  options: Omit<EndpointMeterOptions, 'endpoint'>,
): MeteredRpc {
  const { clock, budget, priority, onCall } = options;
  const meter = new EndpointMeter({ endpoint: url.host, clock, budget, priority, onCall });
  const endpoint = openRpcEndpoint(url, name, meter);
  return { rpc: createRpcCalls(endpoint), sendBatch: createRpcBatch(endpoint), meter };
}
