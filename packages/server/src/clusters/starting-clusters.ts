import { CodedError } from '@tidegate/core/base';
import type { Cluster, ClusterName, Clusters } from './served-clusters.ts';

const RETRY_SECONDS = 1;

/** Clusters that are served before they are opened: until then, every read is refused with CLUSTER_NOT_LOADED. */
export class StartingClusters implements Clusters {
  readonly #primary: ClusterName;
  readonly #progress: () => string;
  #opened: Clusters | undefined;

  /** `progress`: what the primary cluster waits for. */
  constructor(primary: ClusterName, progress: () => string) {
    this.#primary = primary;
    this.#progress = progress;
  }

  open(clusters: Clusters): void {
    this.#opened = clusters;
  }

  get all(): readonly Cluster[] {
    return this.#opened?.all ?? [];
  }

  find = (env: string | undefined): Cluster | undefined => this.#opened?.find(env);
  byName = (env: string | undefined): Cluster => this.#requireOpened().byName(env);
  requireLoaded = (env: string | undefined): Cluster => this.#requireOpened().requireLoaded(env);
  waitingFor = (): string | undefined =>
    this.#opened === undefined ? `${this.#primary}: ${this.#progress()}` : undefined;

  #requireOpened(): Clusters {
    if (this.#opened !== undefined) return this.#opened;
    const env = this.#primary;
    throw new CodedError('CLUSTER_NOT_LOADED', { env, retryAfterSeconds: RETRY_SECONDS });
  }
}
