import { formatError, type Logger } from '@tidegate/core/base';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { backoffMs, sleepUnlessAborted } from '../../chain/retry.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError, hasCode } from '../../errors.ts';
import type { ClusterIdentity } from '../../history/cluster-identity.ts';
import { readLocalnetPlan } from '../localnet/localnet-registry.ts';
import { describePlan } from '../localnet/simulation-recorder.ts';
import { genesisHashOf, isUnknownMethod } from './verify-cluster.ts';

type IdentityOptions = {
  readonly env: ClusterName;
  readonly rpcUrls: readonly URL[];
  readonly source: Pick<ClusterSource, 'getGenesisHash'>;
};

type WaitOptions = IdentityOptions & { readonly signal: AbortSignal; readonly log: Logger };

const RETRY = { firstMs: 500, maxMs: 10_000, random: Math.random };

/** Undefined if the endpoints do not say which cluster they serve. Throws if none responds. */
export async function readClusterIdentity({
  env,
  rpcUrls,
  source,
}: IdentityOptions): Promise<ClusterIdentity | undefined> {
  const known = genesisHashOf(env);
  if (known !== undefined) return { genesis: known };
  try {
    const genesis = await source.getGenesisHash();
    const { plan, runs } = (await readLocalnetPlan(rpcUrls).catch(() => undefined)) ?? {};
    // a localnet that is not stored has no runs
    const isStored = plan !== undefined && runs !== undefined && runs.length > 0;
    return isStored ? { genesis, runs, simulation: describePlan(plan) } : { genesis };
  } catch (error) {
    if (isUnknownMethod(error)) return undefined;
    throw error;
  }
}

/** Waits until an endpoint responds. Undefined when it is aborted. */
export async function waitForClusterIdentity(
  options: WaitOptions,
): Promise<ClusterIdentity | undefined> {
  const { env, log, signal } = options;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      return await readClusterIdentity(options);
    } catch (error) {
      if (!(error instanceof CodedError) || hasCode(error, 'INVALID_SETTING')) throw error;
      const reason = formatError(error);
      if (failures === 0) log.warn({ env, reason }, 'the cluster does not respond yet');
    }
    await sleepUnlessAborted(backoffMs(RETRY, failures), signal);
  }
  return undefined;
}
