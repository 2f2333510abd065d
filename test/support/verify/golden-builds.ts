import type { VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import type { LendingRequest } from '#core/builders/lending/lending-request.ts';
import { obligationSeeds } from '#core/protocol/klend/pda.ts';
import { loadExampleContext } from '../builders/load-build-context.ts';
import { guardFlows, instructionAccount } from '../flows/guard-flows.ts';
import { type LendingFlow, lendingBuilders, lendingFlows } from '../flows/lending-flows.ts';
import { buildVaultFlow, type VaultFlow, vaultFlows } from '../flows/vault-flows.ts';
import { readGolden } from '../golden/golden.ts';
import { instructionName } from '../protocol/instruction-account-names.ts';
import { chainDataFrom, type VerifiedBuild } from './verified-build.ts';

let builds: Promise<VerifiedBuild[]> | undefined;

/** What our builders make of every golden flow of theirs, also for loans that the API does not build for. */
export function goldenBuilds(): Promise<VerifiedBuild[]> {
  builds ??= buildGoldenFlows();
  return builds;
}

async function buildGoldenFlows(): Promise<VerifiedBuild[]> {
  const lending = await Promise.all(lendingFlows().map(lendingBuild));
  const vaults = await Promise.all(vaultFlows().map(vaultBuild));
  return [...lending, ...vaults];
}

const LIQUIDATE = 'liquidateObligationAndRedeemReserveCollateralV2';
/** The official client pays the rent of the wrapped SOL account by itself, and creates it twice. */
const LEFT_OUT = ['setComputeUnitLimit', 'transfer', 'syncNative'];

/** The recorded liquidation, with the instructions that a builder of ours would use. */
export async function goldenLiquidation(): Promise<VerifiedBuild> {
  const [flow] = guardFlows().filter(({ name }) => name === '29-liquidate');
  if (flow === undefined) throw new Error('no recorded liquidation');
  const { wallet, snapshot, name } = flow;
  const texts = new Set<string>();
  const instructions = flow.instructions.filter((instruction) => {
    const text = JSON.stringify(instruction);
    const isNew = !texts.has(text);
    texts.add(text);
    return isNew && !LEFT_OUT.includes(instructionName(instruction));
  });
  const accountOf = (account: string) => instructionAccount(flow, LIQUIDATE, account);
  const request: VerifiableRequest = {
    operation: 'lend-liquidate',
    wallet,
    market: accountOf('lendingMarket'),
    loan: accountOf('obligation'),
    repayReserve: accountOf('repayReserve'),
    withdrawReserve: accountOf('withdrawReserve'),
    amount: '1000',
  };
  const chainData = await chainDataFrom((address) => snapshot.accounts.get(address), request);
  return { wallet, instructions, lookupTables: [], name, request, chainData };
}

async function lendingBuild(flow: LendingFlow): Promise<VerifiedBuild> {
  const { name, intent, request: coreRequest, state, accounts } = flow;
  const { wallet, market, reserve } = coreRequest;
  const marketLookupTable = marketTable(market);
  const inputs = { state, accounts, ...(marketLookupTable && { marketLookupTable }) };
  const builder = lendingBuilders[intent];
  const build = builder.build(
    coreRequest,
    loadExampleContext(builder, coreRequest, inputs).context,
  );
  const decimals = Number(state.reserve(reserve)?.fields.liquidity.mintDecimals);
  const request: VerifiableRequest = {
    operation: `lend-${intent}`,
    wallet,
    market,
    reserve,
    amount: amountText(coreRequest.amount, decimals),
    loan: loanSeeds(coreRequest),
    ...(intent === 'withdraw' && { maxLtv: '100' }),
  };
  const chainData = await chainDataFrom((address) => accounts.get(address), request);
  return { ...build, name, request, chainData };
}

const amountText = (amount: bigint | 'all', decimals: number): string =>
  amount === 'all' ? 'U64::MAX' : formatUnits(amount, decimals);

function loanSeeds({ obligation }: LendingRequest) {
  const requested = obligation ?? { kind: 'vanilla' };
  if ('address' in requested) throw new Error('golden loans are named by their kind');
  const { id = 0, ...kind } = requested;
  return { ...obligationSeeds(kind), id };
}

function marketTable(market: Address): Address | undefined {
  const { markets } = readGolden('cluster.json') as {
    markets: { address: Address; lookupTable: Address }[];
  };
  return markets.find(({ address }) => address === market)?.lookupTable;
}

async function vaultBuild(flow: VaultFlow): Promise<VerifiedBuild> {
  const { name, accounts } = flow;
  const request = vaultRequest(flow.request, flow.state);
  const chainData = await chainDataFrom((address) => accounts.get(address), request);
  return { ...buildVaultFlow(flow), name, request, chainData };
}

function vaultRequest(
  { kind, request }: VaultFlow['request'],
  state: VaultFlow['state'],
): VerifiableRequest {
  const { wallet } = request;
  if (kind === 'claim') {
    const target =
      'vault' in request
        ? { kvault: request.vault }
        : { market: request.market, ...(request.reserve && { reserve: request.reserve }) };
    return { operation: 'farm-claim', wallet, ...target };
  }
  const fields = state.vault(request.vault)?.fields;
  if (kind === 'deposit') {
    const amount = formatUnits(request.amount, Number(fields?.tokenMintDecimals));
    const isStaked = request.stake !== false;
    return {
      operation: 'vault-deposit',
      wallet,
      kvault: request.vault,
      amount,
      ...(isStaked ? {} : { stake: false }),
    };
  }
  if (request.shares === undefined) throw new Error('golden withdrawals are in shares');
  const amount = amountText(request.shares, Number(fields?.sharesMintDecimals));
  return { operation: 'vault-withdraw', wallet, kvault: request.vault, amount };
}
