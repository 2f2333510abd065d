import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { quoteName, untrustedSymbol } from '../../base/encoding/foreign-text.ts';
import { isDelegated } from '../../protocol/farms/math/issuance.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import { reserveFarmDelegatee, vaultFarmDelegatee } from '../../protocol/farms/pda.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { userMetadataAddress } from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { marketName } from '../../views/lending/market-snapshot.ts';
import { rewardIndexes } from '../../views/rewards/farm-rewards.ts';
import type { BuildContext } from '../build.ts';
import type { StakeContext } from '../farms/stake-context.ts';
import { reserveSymbol } from '../lending/lending-action-context.ts';
import {
  requireMarket,
  requireMarketReserve,
  resolveObligation,
} from '../lending/lending-request.ts';
import { requireReadableAccount } from '../require-readable.ts';
import { createShareStake } from '../vaults/share-holding.ts';
import {
  createVaultActionContext,
  tokenSymbolOfReserves,
  type VaultActionContext,
} from '../vaults/vault-action-context.ts';
import { isWrappedSol, type WalletToken } from '../wallet/token-accounts.ts';
import type { ClaimRequest } from './claim-request.ts';

/** The stakes whose rewards are claimed. */
export type ClaimContext = {
  readonly wallet: Address;
  /** Description of the loan or vault. */
  readonly source: string;
  /** Either `loan` or `vault` is set. */
  readonly loan: ClaimLoan | undefined;
  readonly vault: VaultActionContext | undefined;
  /** Candidates: the wallet may not have all of them. */
  readonly stakes: readonly StakeContext[];
  /** The first source of token symbols. */
  readonly reserves: readonly StoredAccountWithData<ReserveView>[];
  /** The second one. */
  readonly symbolOf: BuildContext['symbolOf'];
};

type ClaimLoan = {
  readonly market: Address;
  readonly obligation: Address;
  readonly userMetadata: Address;
};

export function createClaimContext(
  request: ClaimRequest,
  { state, symbolOf }: Pick<BuildContext, 'state' | 'symbolOf'>,
): ClaimContext {
  const target = 'vault' in request ? vaultClaim(request, state) : loanClaim(request, state);
  return { ...target, symbolOf };
}

type ClaimTarget = Omit<ClaimContext, 'symbolOf'>;

type RewardToken = WalletToken & { readonly symbol: string; readonly decimals: number };

/** The token of a farm's reward. */
export function rewardToken(
  { wallet, reserves, symbolOf }: ClaimContext,
  { farm }: StakeContext,
  index: number,
): RewardToken {
  const { mint, tokenProgram, decimals } = rewardAt(farm.fields, index).token;
  const lent = tokenSymbolOfReserves(mint, reserves);
  const symbol = lent === mint ? untrustedSymbol(symbolOf?.(mint) ?? '') || mint : lent;
  const label = isWrappedSol({ mint }) ? 'wrapped SOL' : symbol;
  return { wallet, mint, tokenProgram, label, symbol, decimals: Number(decimals) };
}

export const rewardTokens = (target: ClaimContext, stake: StakeContext): RewardToken[] =>
  rewardIndexes(stake.farm.fields).map((index) => rewardToken(target, stake, index));

/** The vault's farm, and the farms of its reserves, which may reward depositors of the vault. */
function vaultClaim(
  request: ClaimRequest & { readonly vault: Address },
  state: ClusterReader,
): ClaimTarget {
  const { wallet } = request;
  const vault = createVaultActionContext(request, state);
  const { name, reserves } = vault;
  const shareStake = createShareStake(vault) ?? delegatedStake(vault, state);
  const reserveStakes = reserves.flatMap(({ address: reserve, fields }) =>
    stakeIn(fields.farmCollateral, state, ({ program }) => ({
      wallet,
      label: `deposits of ${name} in ${reserveSymbol(fields)}`,
      delegatee: reserveFarmDelegatee({ reserve, vault: request.vault, user: wallet }, program),
    })),
  );
  const stakes = [...(shareStake === undefined ? [] : [shareStake]), ...reserveStakes];
  return { wallet, source: `the vault ${name}`, loan: undefined, vault, stakes, reserves };
}

/** In a farm that tracks depositors without holding their shares. */
function delegatedStake(
  { wallet, vault, shares }: VaultActionContext,
  state: ClusterReader,
): StakeContext | undefined {
  requireReadableAccount(state, vault.fields.vaultFarm);
  const farm = state.farm(vault.fields.vaultFarm);
  if (farm === undefined || !isDelegated(farm.fields)) return undefined;
  const user = { vault: vault.address, farm: farm.address, user: wallet };
  return { wallet, farm, label: shares.label, delegatee: vaultFarmDelegatee(user, farm.program) };
}

function loanClaim(
  request: Exclude<ClaimRequest, { readonly vault: Address }>,
  state: ClusterReader,
): ClaimTarget {
  const { wallet } = request;
  const { address: market, program, fields } = requireMarket(state, request.market);
  const owner = { owner: wallet, lendingMarket: market, program };
  const { obligation } = resolveObligation(request.obligation, owner);
  const userMetadata = userMetadataAddress(wallet, program);
  const reserves = state.reservesOf(market);
  const selected =
    request.reserve === undefined
      ? reserves
      : [requireMarketReserve(state, market, request.reserve)];
  const stakes = selected.flatMap((reserve) => {
    const symbol = reserveSymbol(reserve.fields);
    const { farmCollateral, farmDebt } = reserve.fields;
    const stakeOf = (label: string) => () => ({ wallet, label, delegatee: obligation });
    return [
      ...stakeIn(farmCollateral, state, stakeOf(`deposited ${symbol}`)),
      ...stakeIn(farmDebt, state, stakeOf(`borrowed ${symbol}`)),
    ];
  });
  const source = quoteName(marketName(fields)) || `the market ${market}`;
  const loan = { market, obligation, userMetadata };
  return { wallet, source, loan, vault: undefined, stakes, reserves };
}

/** Empty without a farm, or if the state does not have it. */
function stakeIn(
  address: Address,
  state: ClusterReader,
  stakeOf: (farm: StakeContext['farm']) => Omit<StakeContext, 'farm'>,
): StakeContext[] {
  requireReadableAccount(state, address);
  const farm = address === ZERO_ADDRESS ? undefined : state.farm(address);
  return farm === undefined ? [] : [{ ...stakeOf(farm), farm }];
}
