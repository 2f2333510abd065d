import type { Logger } from '@tidegate/core/base';
import type { Clusters, DemoAddresses } from '../clusters/served-clusters.ts';
import type { ApiKeys } from '../http/auth/api-keys.ts';
import type { RateLimits } from '../http/auth/authenticator.ts';
import type { TrustedProxies } from '../http/limits/client-address.ts';
import type { CompletedRequest } from '../http/request-log.ts';
import type { TokenCatalogueSource } from '../registry/token-catalogue.ts';
import type { PathAliasOptions } from './path-aliases.ts';

/** Everything a route may reach. What it needs of the outside comes in here and nowhere else. */
export type FeatureContext = {
  readonly version: string;
  readonly tokens: TokenCatalogueSource;
  readonly keys: ApiKeys;
  /** Undefined when rate limiting is off. */
  readonly limits: RateLimits | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly aliases: PathAliasOptions;
  /** Folds a 400 or 404 that an operation does not list into its 500. */
  readonly strictStatuses: boolean;
  /** The clusters that are served, the primary one first. */
  readonly clusters: Clusters;
  /** Undefined where no localnet is served. */
  readonly demo: DemoAddresses | undefined;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: Logger;
  /** One line a request. */
  readonly logRequest: (request: CompletedRequest) => void;
};
