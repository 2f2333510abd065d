import type { Logger } from '../base/log.ts';
import type { TokenPort } from '../registry/tokens.ts';
import type { Limits } from './admission.ts';
import type { AliasOptions } from './aliases.ts';
import type { TrustedProxies } from './client-address.ts';
import type { Clusters, Demo } from './clusters.ts';
import type { KeyRing } from './keys.ts';
import type { FinishedRequest } from './request-log.ts';

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
