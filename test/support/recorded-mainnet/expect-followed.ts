import { expect } from 'vitest';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import type { RunningApi } from '../http/test-api.ts';
import { editAccount, findAccount } from './edit-account.ts';
import { USDC_VAULT } from './recorded-addresses.ts';
import type { RecordedMainnet } from './recorded-mainnet.ts';
import { completeCluster } from './scenarios.ts';

const FAULT_POLL = { interval: 50 };

type ClusterStatus = {
  readonly waitingFor: string | null;
  readonly source: { readonly step: string; readonly reason: string | null };
  readonly missing: readonly string[];
  readonly scans: { readonly refused: readonly string[]; readonly retryAt: string | null };
};

export async function readClusterStatus({ get }: RunningApi): Promise<ClusterStatus> {
  const { clusters } = (await get('/status')).body as {
    readonly clusters: readonly ClusterStatus[];
  };
  const [first] = clusters;
  if (first === undefined) throw new Error('no cluster is served');
  return first;
}

export const waitForReady = ({ get }: RunningApi): Promise<void> =>
  expect.poll(async () => (await get('/ready')).status, FAULT_POLL).toBe(200);

type Vault = { readonly state: { readonly performanceFeeBps: number } };

export async function readVaultFee({ get }: RunningApi): Promise<number> {
  const { body } = await get(`/kvaults/vaults/${USDC_VAULT}`);
  return (body as Vault).state.performanceFeeBps;
}

/** A change on the node is served. Only tests change the fee, so no other update delivers it. */
export async function expectFollowed(node: RecordedMainnet, api: RunningApi): Promise<void> {
  const account = findAccount(completeCluster(), USDC_VAULT);
  const changed = editAccount(vaultState, account, (value) => ({
    ...value,
    performanceFeeBps: 777n,
  }));
  node.state.setAccount(USDC_VAULT, changed);
  await expect.poll(() => readVaultFee(api), FAULT_POLL).toBe(777);
}
