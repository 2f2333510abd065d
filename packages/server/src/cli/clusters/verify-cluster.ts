import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';

/** Genesis hashes identify the cluster of an endpoint. */
const GENESIS_HASHES: Partial<Record<ClusterName, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};

/** Undefined for a cluster without a fixed genesis. */
export const genesisHashOf = (env: ClusterName): string | undefined => GENESIS_HASHES[env];

/**
 * Whether an endpoint of the cluster responds. Throws INVALID_SETTING if the first endpoint, or every one, belongs to
 * another cluster, whose data would be wrong.
 */
export async function verifyCluster(
  env: ClusterName,
  source: ClusterSource,
  log: Logger,
): Promise<boolean> {
  if (genesisHashOf(env) === undefined) return true;
  let responds = true;
  try {
    await source.getGenesisHash();
  } catch (error) {
    responds = false;
    if (!isWrongCluster(source)) {
      log.warn({ env, reason: formatError(error) }, 'the cluster does not respond yet');
    }
  }
  if (!isWrongCluster(source)) return responds;
  const [first] = source.status().requests;
  const accepts = `the name of the cluster that ${first?.name ?? 'the endpoint'} serves, which is another one`;
  throw new CodedError('INVALID_SETTING', { name: 'CLUSTER', value: env, accepts });
}

function isWrongCluster(source: ClusterSource): boolean {
  const { requests } = source.status();
  return requests[0]?.wrongCluster === true || requests.every(({ wrongCluster }) => wrongCluster);
}
