import { CodedError } from '../errors.ts';
import type { StartProgress } from './cluster-status.ts';
import type { Cluster, ClusterName, Clusters } from './served-clusters.ts';

const RETRY_SECONDS = 1;

export const NOT_STARTED: StartProgress = { stage: 'starting', done: 0, total: 0 };

/** Clusters that are served before they are opened: until then, every read is refused with CLUSTER_NOT_LOADED. */
export class StartingClusters implements Clusters {
  readonly #primary: ClusterName;
  readonly #progress: () => StartProgress;
  #opened: Clusters | undefined;

  /** `progress`: how far the start of the primary cluster is. */
  constructor(primary: ClusterName, progress: () => StartProgress) {
    this.#primary = primary;
    this.#progress = progress;
  }

  open(clusters: Clusters): void {
    this.#opened = clusters;
  }

  /** Refuses reads again, until clusters are opened again. */
  close(): void {
    this.#opened = undefined;
  }

  get all(): readonly Cluster[] {
    return this.#opened?.all ?? [];
  }

  find = (env: string | undefined): Cluster | undefined => this.#opened?.find(env);
  byName = (env: string | undefined): Cluster => this.#requireOpened().byName(env);
  requireLoaded = (env: string | undefined): Cluster => this.#requireOpened().requireLoaded(env);
  waitingFor = (): string | undefined =>
    this.#opened === undefined ? `${this.#primary}: ${describe(this.#progress())}` : undefined;
  progress = (): StartProgress | undefined =>
    this.#opened === undefined ? this.#progress() : undefined;

  #requireOpened(): Clusters {
    if (this.#opened !== undefined) return this.#opened;
    const env = this.#primary;
    throw new CodedError('CLUSTER_NOT_LOADED', { env, retryAfterSeconds: RETRY_SECONDS });
  }
}

const describe = ({ stage, done, total }: StartProgress): string =>
  stage === 'standby'
    ? 'standby, another index process writes'
    : stage === 'simulating' && total > 0
      ? `simulating history, ${Math.floor((100 * done) / total)} %`
      : 'starting';
