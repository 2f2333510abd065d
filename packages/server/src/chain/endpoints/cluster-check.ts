import type { Logger } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import type { ChainReader } from '../source/chain-source.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { EndpointHealth } from './endpoint-health.ts';

export type ClusterCheckOptions = {
  /** Of the cluster. Without it, the first endpoint that returns one decides. */
  readonly genesisHash?: string | undefined;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly log: Logger;
  readonly alarms: SourceAlarms;
};

/** An endpoint whose upstream moved is noticed at the latest after this time. */
const RECHECK_MS = 60_000;
/** An answer that is not older needs no new one. */
const RECENT_MS = 1_000;

/** Compares the genesis hashes of endpoints with that of the cluster. */
export class ClusterCheck {
  readonly #options: ClusterCheckOptions;
  readonly #checkedAt = new Map<EndpointHealth, number>();
  readonly #running = new Map<EndpointHealth, Promise<void>>();
  #genesisHash: string | undefined;

  constructor(options: ClusterCheckOptions) {
    this.#options = options;
    this.#genesisHash = options.genesisHash;
  }

  /** Undefined until an endpoint has returned it. */
  get genesisHash(): string | undefined {
    return this.#genesisHash;
  }

  isUnchecked(endpoint: EndpointHealth): boolean {
    return !this.#checkedAt.has(endpoint);
  }

  /** Whether the endpoint may have moved since it was last compared. */
  isDue(endpoint: EndpointHealth): boolean {
    return endpoint.isDown || this.#msSinceCheck(endpoint) >= RECHECK_MS;
  }

  /** Throws if the endpoint belongs to another cluster. `maxAgeMs`: how old the last comparison may be. */
  require(endpoint: EndpointHealth, maxAgeMs = RECENT_MS): Promise<void> {
    const running = this.#running.get(endpoint);
    if (running !== undefined) return running;
    if (!endpoint.isWrongCluster && this.#msSinceCheck(endpoint) < maxAgeMs) {
      return Promise.resolve();
    }
    const check = this.#compare(endpoint).finally(() => this.#running.delete(endpoint));
    this.#running.set(endpoint, check);
    return check;
  }

  async #compare(endpoint: EndpointHealth): Promise<void> {
    const { log, alarms, now } = this.#options;
    const source = endpoint.reader.name;
    const found = await readGenesisHash(endpoint.reader);
    this.#checkedAt.set(endpoint, now());
    endpoint.genesisHash = found;
    if (found !== '') this.#genesisHash ??= found;
    const isWrong = found !== '' && found !== this.#genesisHash;
    if (!isWrong && endpoint.isWrongCluster) {
      log.info({ source }, 'endpoint belongs to the right cluster again');
    }
    if (!isWrong) {
      endpoint.isWrongCluster = false;
      return;
    }
    const error = wrongClusterError(source, found);
    if (!endpoint.isWrongCluster) {
      alarms.raise('other-cluster', source, error.context.reason);
      log.error({ source, genesisHash: found }, 'endpoint belongs to another cluster');
    }
    endpoint.isWrongCluster = true;
    throw error;
  }

  #msSinceCheck(endpoint: EndpointHealth): number {
    const at = this.#checkedAt.get(endpoint);
    return at === undefined ? Number.POSITIVE_INFINITY : this.#options.now() - at;
  }
}

/** Another endpoint may serve the request, or this one later. */
const wrongClusterError = (source: string, genesisHash?: string) =>
  new CodedError('SOURCE_UNAVAILABLE', {
    source,
    reason: `it belongs to another cluster${genesisHash === undefined ? '' : `, with the genesis hash ${genesisHash}`}`,
  });

/** Empty if the endpoint does not return it. */
async function readGenesisHash(reader: ChainReader): Promise<string> {
  try {
    return await reader.getGenesisHash();
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return '';
    throw error;
  }
}
