import { formatError, type Logger } from '@tidegate/core/base';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { backoffMs, sleepUnlessAborted } from '../../chain/retry.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError, hasCode } from '../../errors.ts';

/** Genesis hashes identify the cluster of an endpoint. */
const GENESIS_HASHES: Partial<Record<ClusterName, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};

export type VerifyClusterOptions = {
  readonly env: ClusterName;
  /** The setting with the endpoints. `RPC_URL` belongs to the cluster of `CLUSTER`. */
  readonly rpcSetting: 'RPC_URL' | 'RPC_URL_MAINNET' | 'RPC_URL_DEVNET';
  readonly source: ClusterSource;
  readonly log: Logger;
};

type WaitOptions = VerifyClusterOptions & {
  readonly signal: AbortSignal;
  /** Overrides the pause between attempts, for tests. */
  readonly sleep?: (ms: number) => Promise<unknown>;
};

/** Pauses between attempts to reach a cluster. */
const RETRY = { firstMs: 4_000, maxMs: 30_000, random: Math.random };

/** Undefined for a cluster without a fixed genesis. */
export const genesisHashOf = (env: ClusterName): string | undefined => GENESIS_HASHES[env];

/**
 * Throws INVALID_SETTING if the first endpoint, or every one, belongs to another cluster, whose data would be wrong. Throws
 * another error if no endpoint responds.
 */
export async function verifyCluster(options: VerifyClusterOptions): Promise<void> {
  const { env, source, log } = options;
  if (genesisHashOf(env) === undefined) return;
  try {
    await source.getGenesisHash();
  } catch (error) {
    requireCluster(options);
    if (!isUnknownMethod(error)) throw error;
    const reason = formatError(error);
    log.warn({ env, reason }, 'the cluster of the endpoints is not verified');
  }
  requireCluster(options);
}

/** Verifies the cluster as soon as an endpoint responds. Also resolves when it is aborted. */
export async function waitForCluster(options: WaitOptions): Promise<void> {
  const { env, log, signal, sleep = (ms) => sleepUnlessAborted(ms, signal) } = options;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await verifyCluster(options);
      if (failures > 0) log.info({ env }, 'the cluster responds');
      return;
    } catch (error) {
      if (!(error instanceof CodedError) || hasCode(error, 'INVALID_SETTING')) throw error;
      const reason = formatError(error);
      if (failures === 0) log.warn({ env, reason }, 'the cluster does not respond yet');
      else log.debug({ env, reason }, 'the cluster still does not respond');
    }
    await sleep(backoffMs(RETRY, failures));
  }
}

/** Whether an endpoint does not have the method. */
export const isUnknownMethod = (error: unknown): boolean =>
  hasCode(error, 'SOURCE_REFUSES') && error.context.rejection === 'unknown-method';

function requireCluster({ env, rpcSetting, source }: VerifyClusterOptions): void {
  const { requests } = source.status();
  const wrong = requests.filter(({ wrongCluster }) => wrongCluster);
  const [first] = wrong;
  if (first === undefined || (first !== requests[0] && wrong.length < requests.length)) return;
  const served = new Set(wrong.map(({ genesisHash }) => genesisHash));
  const isOneCluster = wrong.length === requests.length && served.size === 1;
  if (rpcSetting === 'RPC_URL' && isOneCluster) {
    const accepts = `the cluster of RPC_URL, which is ${describeCluster(first.genesisHash)}`;
    throw new CodedError('INVALID_SETTING', { name: 'CLUSTER', value: env, accepts });
  }
  const servedBy = wrong.map(
    ({ name, genesisHash }) => `${name} serves ${describeCluster(genesisHash)}`,
  );
  throw new CodedError('INVALID_SETTING', {
    name: rpcSetting,
    value: requests.map(({ name }) => name).join(', '),
    accepts: `endpoints of ${env}; ${servedBy.join(', ')}`,
  });
}

/** A cluster without a fixed genesis is named by its hash. */
const describeCluster = (genesisHash: string | undefined): string =>
  Object.entries(GENESIS_HASHES).find(([, hash]) => hash === genesisHash)?.[0] ??
  `a test cluster with the genesis hash ${genesisHash} (CLUSTER=localnet serves it)`;
