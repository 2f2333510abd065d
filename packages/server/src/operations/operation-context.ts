import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from '@tidegate/core/base';
import type { FastifyRequest } from 'fastify';
import type { Clusters, Demo } from '../clusters/served-clusters.ts';
import type { RateLimits } from '../http/auth/authenticator.ts';
import type { TrustedProxies } from '../http/limits/client-address.ts';
import type { DocumentedRoute } from '../http/openapi-document.ts';
import type { MetricValues, ProcessMetrics } from '../http/process-metrics.ts';
import type { ChargeComputation } from '../http/request-hooks.ts';
import type { Shutdown } from '../http/shutdown.ts';
import type { StreamRegistry } from '../http/streams/stream-registry.ts';
import type { TokenCatalogueSource } from '../registry/token-catalogue.ts';
import type { Explorer } from './explorer/explorer-files.ts';
import type { PathAliasOptions } from './path-aliases.ts';

/** Everything that an operation can reach. One object per app. */
export type OperationContext = {
  readonly version: string;
  readonly tokens: TokenCatalogueSource;
  /** The clusters that are served, the primary one first. */
  readonly clusters: Clusters;
  readonly trustedProxies: TrustedProxies;
  /** Reports a 400 or 404 that an operation does not list as 500. */
  readonly strictStatuses: boolean;
  /** Undefined when rate limiting is off. */
  readonly limits: RateLimits | undefined;
  /** Undefined where no localnet is served, and until it has started. */
  readonly demo: () => Demo | undefined;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly metrics: ProcessMetrics;
  /** The metrics of all processes that serve the same port; by default those of this one. */
  readonly collectMetrics?: (() => Promise<readonly MetricValues[]>) | undefined;
  readonly chargeComputation: ChargeComputation;
  /** Id of the API key of a request; undefined without a valid one. */
  readonly keyIdOf: (request: FastifyRequest) => string | undefined;
  readonly shutdown: Shutdown;
  readonly streams: StreamRegistry;
  /** What the operator should change, for the status page. */
  readonly warnings: () => readonly string[];
  /** Further names under which paths are served. */
  readonly aliases: PathAliasOptions;
  /** The registered operations, in order of registration. */
  readonly routes: readonly DocumentedRoute[];
  /** The files of the web app. */
  readonly explorer: Explorer;
};

/** One operation: a plugin that registers its route. */
export type OperationPlugin = (context: OperationContext) => FastifyPluginAsyncTypebox;

/** Creates a value once per app. */
export function oncePerApp<Value>(
  create: (context: OperationContext) => Value,
): (context: OperationContext) => Value {
  const values = new WeakMap<OperationContext, { readonly value: Value }>();
  return (context) => {
    const known = values.get(context) ?? { value: create(context) };
    values.set(context, known);
    return known.value;
  };
}
