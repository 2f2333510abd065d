import type { Logger } from '@tidegate/core/base';
import type { Clusters, Demo } from '../clusters/served-clusters.ts';
import type { KeyRing } from '../http/auth/api-keys.ts';
import type { Limits } from '../http/auth/authenticator.ts';
import type { TrustedProxies } from '../http/limits/client-address.ts';
import type { FinishedRequest } from '../http/request-log.ts';
import type { TokenPort } from '../registry/token-catalogue.ts';
import type { AliasOptions } from './path-aliases.ts';

/** Everything a route may reach. What it needs of the outside comes in here and nowhere else. */
export type ApiContext = {
  readonly version: string;
  readonly tokens: TokenPort;
  readonly keys: KeyRing;
  /** Undefined when rate limiting is off. */
  readonly limits: Limits | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly aliases: AliasOptions;
  /** Folds a 400 or 404 that an operation does not list into its 500. */
  readonly strictStatuses: boolean;
  /** The clusters that are served, the primary one first. */
  readonly clusters: Clusters;
  /** Undefined where no localnet is served. */
  readonly demo: Demo | undefined;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: Logger;
  /** One line a request. */
  readonly logRequest: (request: FinishedRequest) => void;
};
