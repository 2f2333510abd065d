import type { ClusterReader } from '#core/state/cluster-reader.ts';
import type { SimulatedCluster } from '#localnet/simulation/simulate-cluster.ts';
import {
  listOperationRequests,
  type OperationRequest,
} from '../../test/support/day-one/operation-requests.ts';
import type { OpenApi } from './served-document.ts';

type Metadata = SimulatedCluster['metadata'];
type Demo = Metadata['demo'];

const actions = ['Deposit', 'Borrow', 'Repay', 'Withdraw'] as const;
const forms = [
  ['Tx', ''],
  ['Ixs', '-instructions'],
] as const;

const demoKeys = {
  Deposit: 'deposit',
  Borrow: 'borrow',
  Repay: 'repay',
  Withdraw: 'withdraw',
} as const;

/** The addresses in the requests, by role. */
export function exampleAddresses({ demo, stakePools }: Metadata, reader: ClusterReader) {
  const vault = reader.vault(demo.vault)?.fields;
  const staked = reader
    .reservesOf(demo.market)
    .find(({ fields }) => stakePools.has(fields.liquidity.mintPubkey));
  return {
    wallet: demo.wallet,
    market: demo.market,
    obligation: demo.obligation,
    reserve: demo.deposit.reserve,
    borrowReserve: demo.borrow.reserve,
    stakedReserve: staked?.address ?? demo.deposit.reserve,
    vault: demo.vault,
    sharesMint: vault?.sharesMint ?? '',
    farm: vault?.vaultFarm ?? '',
  };
}

/** One request for each operation, with the addresses of the demo wallet. */
export function listExampleRequests(
  document: OpenApi,
  metadata: Metadata,
  reader: ClusterReader,
): OperationRequest[] {
  const subject = exampleAddresses(metadata, reader);
  const builders = builderRequests(metadata.demo);
  const built = new Set(builders.map(({ operationId }) => operationId));
  const { reserve, stakedReserve } = subject;
  const reads = listOperationRequests(document, subject)
    .filter(({ operationId }) => !built.has(operationId))
    .map((request) => withData(request, { reserve, staked: stakedReserve }));
  return [...processRequests, ...reads, ...builders];
}

type Replacement = { readonly reserve: string; readonly staked: string };

/** Changes requests whose response would be empty. */
function withData(request: OperationRequest, { reserve, staked }: Replacement): OperationRequest {
  const { operationId, path } = request;
  if (/^getBorrow\w*StakingApyHistory$/.test(operationId)) {
    return { ...request, path: path.replace(reserve, staked) };
  }
  if (operationId === 'getVaultAllocationVolumeHistory') {
    return { ...request, path: `${path}?start=2026-09-19` };
  }
  return request;
}

const processRequests: readonly OperationRequest[] = [
  { operationId: 'getHealth', path: '/health' },
  { operationId: 'getReadiness', path: '/ready' },
  { operationId: 'getStatus', path: '/status' },
  { operationId: 'getMetrics', path: '/metrics' },
  { operationId: 'getOpenApi', path: '/openapi.json' },
];

function builderRequests(demo: Demo): OperationRequest[] {
  const { wallet, market, vault: kvault } = demo;
  const vaultBody = { wallet, kvault, amount: '1' };
  return forms.flatMap(([suffix, path]) => [
    ...actions.map((action) => ({
      operationId: `buildLend${action}${suffix}`,
      path: `/ktx/klend/${action.toLowerCase()}${path}`,
      body: { wallet, market, ...demo[demoKeys[action]] },
    })),
    ...['Deposit', 'Withdraw'].map((action) => ({
      operationId: `buildVault${action}${suffix}`,
      path: `/ktx/kvault/${action.toLowerCase()}${path}`,
      body: vaultBody,
    })),
    {
      operationId: `buildFarmClaim${suffix}`,
      path: `/ktx/farms/claim${path}`,
      body: { wallet, kvault },
    },
  ]);
}
