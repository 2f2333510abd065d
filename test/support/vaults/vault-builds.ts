import type { VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import type { Build, Builder } from '#core/builders/build.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { buildFromInputs } from '../builders/load-build-context.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { chainDataFrom, type VerifiedBuild } from '../verify/verified-build.ts';
import type { VaultCluster } from './vault-cluster.ts';

/** A build for the present state of a cluster, by the rules of its programs. */
export function buildOnCluster<Request>(
  { accounts, at }: VaultCluster,
  builder: Builder<Request>,
  request: Request,
): Build {
  const state = new ClusterState({ log: silentLog });
  for (const [address, account] of accounts) state.apply({ address, account, slot: at.slot });
  state.setAt(at);
  return buildFromInputs(builder, request, { state, accounts });
}

/** With the chain data of the cluster. */
export const verifiedOnCluster = async (
  { accounts }: VaultCluster,
  build: Build,
  request: VerifiableRequest,
): Promise<VerifiedBuild> => ({
  ...build,
  name: request.operation,
  request,
  chainData: await chainDataFrom((address: Address) => accounts.get(address), request),
});
