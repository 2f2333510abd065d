import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { isDelegated } from '../../protocol/farms/math/issuance.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import { reserveFarmDelegatee, vaultFarmDelegatee } from '../../protocol/farms/pda.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { obligationAddress, userMetadataAddress } from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { marketName } from '../../views/lending/market-snapshot.ts';
import { rewardIndexes } from '../../views/rewards/farm-rewards.ts';
import type { StakeContext } from '../farms/stake-context.ts';
import { reserveSymbol } from '../lending/lending-action-context.ts';
import { requireMarket, requireMarketReserve } from '../lending/lending-request.ts';
import { createShareStake } from '../vaults/share-holding.ts';
import {
  createVaultActionContext,
  tokenSymbolOfReserves,
  type VaultActionContext,
} from '../vaults/vault-action-context.ts';
import { isWrappedSol, type WalletToken } from '../wallet/token-accounts.ts';
import type { ClaimRequest } from './claim-request.ts';

/** What rewards are claimed of. */
export type ClaimContext = {
  readonly wallet: Address;
  /** In words. */
  readonly source: string;
  /** One of the two. */
  readonly loan: ClaimLoan | undefined;
  readonly vault: VaultActionContext | undefined;
  /** Those that there may be. */
  readonly stakes: readonly StakeContext[];
  /** By which tokens are called. */
  readonly reserves: readonly StoredAccountWithData<ReserveView>[];
};

type ClaimLoan = {
  readonly market: Address;
  readonly obligation: Address;
  readonly userMetadata: Address;
};

export function createClaimContext(request: ClaimRequest, state: ClusterReader): ClaimContext {
  return 'vault' in request ? vaultClaim(request, state) : loanClaim(request, state);
}

type RewardToken = WalletToken & { readonly symbol: string; readonly decimals: number };

/** The token that a farm gives at a place of its list. */
export function rewardToken(
  { wallet, reserves }: ClaimContext,
  { farm }: StakeContext,
  index: number,
): RewardToken {
  const { mint, tokenProgram, decimals } = rewardAt(farm.fields, index).token;
  const symbol = tokenSymbolOfReserves(mint, reserves);
  const label = isWrappedSol({ mint }) ? 'wrapped SOL' : symbol;
  return { wallet, mint, tokenProgram, label, symbol, decimals: Number(decimals) };
}

export const rewardTokens = (place: ClaimContext, stake: StakeContext): RewardToken[] =>
  rewardIndexes(stake.farm.fields).map((index) => rewardToken(place, stake, index));

/** The vault's own farm, and those of its reserves, which may reward who deposits through the vault. */
function vaultClaim(
  request: ClaimRequest & { readonly vault: Address },
  state: ClusterReader,
): ClaimContext {
  const { wallet } = request;
  const vault = createVaultActionContext(request, state);
  const { name, reserves } = vault;
  const own = createShareStake(vault) ?? delegatedStake(vault, state);
  const throughReserves = reserves.flatMap(({ address: reserve, fields }) =>
    stakeIn(fields.farmCollateral, state, ({ program }) => ({
      wallet,
      label: `deposits of ${name} in ${reserveSymbol(fields)}`,
      delegatee: reserveFarmDelegatee({ reserve, vault: request.vault, user: wallet }, program),
    })),
  );
  const stakes = [...(own === undefined ? [] : [own]), ...throughReserves];
  return { wallet, source: `the vault ${name}`, loan: undefined, vault, stakes, reserves };
}

/** In a farm that counts for depositors without holding their shares. */
function delegatedStake(
  { wallet, vault, shares }: VaultActionContext,
  state: ClusterReader,
): StakeContext | undefined {
  const farm = state.farm(vault.fields.vaultFarm);
  if (farm === undefined || !isDelegated(farm.fields)) return undefined;
  const user = { vault: vault.address, farm: farm.address, user: wallet };
  return { wallet, farm, label: shares.label, delegatee: vaultFarmDelegatee(user, farm.program) };
}

function loanClaim(
  request: Exclude<ClaimRequest, { readonly vault: Address }>,
  state: ClusterReader,
): ClaimContext {
  const { wallet, obligation: { id = 0, ...kind } = { kind: 'vanilla' } } = request;
  const { address: market, program, fields } = requireMarket(state, request.market);
  const place = { ...kind, owner: wallet, lendingMarket: market, id };
  const obligation = obligationAddress(place, program);
  const userMetadata = userMetadataAddress(wallet, program);
  const reserves = state.reservesOf(market);
  const acted =
    request.reserve === undefined
      ? reserves
      : [requireMarketReserve(state, market, request.reserve)];
  const stakes = acted.flatMap((reserve) => {
    const symbol = reserveSymbol(reserve.fields);
    const { farmCollateral, farmDebt } = reserve.fields;
    const of = (label: string) => () => ({ wallet, label, delegatee: obligation });
    return [
      ...stakeIn(farmCollateral, state, of(`deposited ${symbol}`)),
      ...stakeIn(farmDebt, state, of(`borrowed ${symbol}`)),
    ];
  });
  const source = marketName(fields) || `the market ${market}`;
  const loan = { market, obligation, userMetadata };
  return { wallet, source, loan, vault: undefined, stakes, reserves };
}

/** None where there is no farm, or nothing is known of it. */
function stakeIn(
  address: Address,
  state: ClusterReader,
  stakeOf: (farm: StakeContext['farm']) => Omit<StakeContext, 'farm'>,
): StakeContext[] {
  const farm = address === ZERO_ADDRESS ? undefined : state.farm(address);
  return farm === undefined ? [] : [{ ...stakeOf(farm), farm }];
}
