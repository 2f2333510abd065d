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
  const others = [...liquidationRequests(metadata.demo), exitRequest(metadata.demo)];
  const built = new Set([...builders, ...others].map(({ operationId }) => operationId));
  const { reserve, stakedReserve, sharesMint } = subject;
  const [stakedMint = sharesMint] = metadata.stakePools.keys();
  const replacement = { reserve, staked: stakedReserve, mint: sharesMint, stakedMint };
  const reads = listOperationRequests(document, subject)
    .filter(({ operationId }) => !built.has(operationId))
    .map((request) => withData(request, replacement));
  return [...processRequests, ...reads, ...builders];
}

type Replacement = {
  readonly reserve: string;
  readonly staked: string;
  readonly mint: string;
  readonly stakedMint: string;
};

/** Changes requests whose response would be empty. */
function withData(
  request: OperationRequest,
  { reserve, staked, mint, stakedMint }: Replacement,
): OperationRequest {
  const { operationId, path } = request;
  if (operationId === 'getStakingYieldHistory' || operationId === 'getPriceMoves') {
    return { ...request, path: path.replace(mint, stakedMint) };
  }
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
  { operationId: 'getProof', path: '/proof' },
  { operationId: 'getMetrics', path: '/metrics' },
  { operationId: 'getOpenApi', path: '/openapi.json' },
];

function builderRequests(demo: Demo): OperationRequest[] {
  const { wallet, market, vault: kvault } = demo;
  const vaultBody = { wallet, kvault, amount: '1' };
  const plans = [
    { operationId: 'planVaultExit', path: '/ktx/kvault/exit', body: { wallet, kvault } },
  ];
  const leverage = { wallet, market, swap: exampleSwap(wallet) };
  const builds = forms.flatMap(([suffix, path]) => [
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
    {
      operationId: `buildMultiply${suffix}`,
      path: `/ktx/klend/multiply${path}`,
      body: {
        ...leverage,
        collateralReserve: demo.deposit.reserve,
        debtReserve: demo.borrow.reserve,
        flashLoanAmount: demo.deposit.amount,
        borrowAmount: demo.borrow.amount,
      },
    },
    {
      operationId: `buildDeleverage${suffix}`,
      path: `/ktx/klend/deleverage${path}`,
      body: {
        ...leverage,
        collateralReserve: demo.withdraw.reserve,
        debtReserve: demo.repay.reserve,
        repayAmount: demo.repay.amount,
        withdrawAmount: demo.withdraw.amount,
      },
    },
  ]);
  return [...plans, ...builds];
}

/** As a caller gets it from a swap aggregator; the accounts of the route are left out. */
const exampleSwap = (wallet: string) => ({
  instructions: [
    {
      programAddress: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
      accounts: [{ address: wallet, role: 'WRITABLE_SIGNER' }],
      data: 'wSCbM0HWnIE=',
    },
  ],
});

/** Succeeds if the demo wallet has the tokens that it owes. */
export const exitRequest = ({ wallet, market }: Demo): OperationRequest => ({
  operationId: 'planLoanExit',
  path: '/ktx/klend/exit',
  body: { wallet, market },
});

/** Requests that succeed if the loan of the demo wallet can be liquidated. */
export function liquidationRequests({ wallet, market, obligation, ...demo }: Demo) {
  const body = {
    wallet,
    market,
    loan: obligation,
    repayReserve: demo.repay.reserve,
    withdrawReserve: demo.withdraw.reserve,
    amount: 'U64::MAX',
  };
  const list = {
    operationId: 'listLiquidatableLoans',
    path: `/klend/liquidatable?market=${market}&limit=2`,
  };
  const builds = forms.map(([suffix, path]) => ({
    operationId: `buildLiquidation${suffix}`,
    path: `/ktx/klend/liquidate${path}`,
    body,
  }));
  return [list, ...builds];
}
