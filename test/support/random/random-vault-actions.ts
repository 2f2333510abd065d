import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import type { ClaimRequest } from '#core/builders/claims/claim-request.ts';
import { simulateClaim } from '#core/builders/simulation/simulate-claim.ts';
import { simulateVaultDeposit } from '#core/builders/simulation/simulate-vault-deposit.ts';
import { simulateVaultWithdraw } from '#core/builders/simulation/simulate-vault-withdraw.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import type { VaultWithdrawRequest } from '#core/builders/vaults/vault-request.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { findLoanKind } from './loan-kind.ts';
import type { RandomCluster } from './random-cluster.ts';
import {
  type ActionContext,
  describeRequest,
  pickItem,
  pickMostlyHeld,
  pickOptionalItem,
  prepareAction,
  type RandomAction,
  randomPart,
  spendableBalance,
} from './random-lending-actions.ts';

export function randomVaultDeposit(context: ActionContext): RandomAction {
  const { cluster, random, wallet } = context;
  const options = cluster.state.vaults().map(({ address, fields }) => {
    const { tokenMint: mint, tokenProgram } = fields;
    return { vault: address, balance: spendableBalance(context, { mint, tokenProgram }) };
  });
  const { vault, balance } = pickMostlyHeld(random, options);
  const amount = randomPart(random, balance);
  const request = { wallet, vault, amount, stake: random.pick(STAKES) };
  return {
    description: `vault deposit ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, vaultDepositBuilder, {
        request,
        simulate: (loaded) => simulateVaultDeposit(request, loaded),
      }),
  };
}

const STAKES = [undefined, true, false] as const;

/** Withdraws shares that the wallet holds or has staked. */
export function randomVaultWithdraw({
  cluster,
  random,
  wallet,
}: ActionContext): RandomAction | undefined {
  const held = cluster.state.vaults().map(({ address, fields }) => ({
    vault: address,
    shares: sharesOf(cluster, fields, wallet),
  }));
  const holding = pickOptionalItem(
    random,
    held.filter(({ shares }) => shares > 0n),
  );
  if (holding === undefined) return undefined;
  const { vault } = holding;
  const part = randomPart(random, holding.shares);
  const request = random.pick<VaultWithdrawRequest>([
    { wallet, vault, shares: 'all' },
    { wallet, vault, shares: part },
    { wallet, vault, shares: part },
    { wallet, vault, tokens: part },
  ]);
  return {
    description: `vault withdraw ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, vaultWithdrawBuilder, {
        request,
        simulate: (loaded) => simulateVaultWithdraw(request, loaded),
      }),
  };
}

type VaultFields = ReturnType<RandomCluster['state']['vaults']>[number]['fields'];

function sharesOf(
  { state, accountIndex }: RandomCluster,
  { sharesMint, vaultFarm }: VaultFields,
  wallet: Address,
): bigint {
  const staked = state.farmUser(vaultFarm, wallet)?.fields.activeStakeScaled ?? 0n;
  return (
    accountIndex.balance(associatedTokenAddress(wallet, sharesMint, TOKEN_PROGRAM)) +
    staked / 10n ** 18n
  );
}

/** Claims for one of the wallet's stakes; sometimes, or without a stake, for any farm. */
export function randomClaim(context: ActionContext): RandomAction {
  const { cluster, random, wallet } = context;
  const stake = pickOptionalItem(random, cluster.state.farmUsersOf(wallet));
  const claim = stake && claimOf(context, stake.fields.farmState, stake.fields.delegatee);
  const request =
    claim === undefined || random.between(0n, 4n) === 0n ? randomClaimRequest(context) : claim;
  return {
    description: `claim ${describeRequest({ ...request, wallet })}`,
    prepare: () =>
      prepareAction(cluster, claimBuilder, {
        request,
        simulate: (loaded) => simulateClaim(request, loaded),
      }),
  };
}

/** For a vault's farm, a whole market, or one reserve. */
function randomClaimRequest({ cluster, random, wallet }: ActionContext): ClaimRequest {
  const { state } = cluster;
  const vaults = state.vaults().filter(({ fields }) => fields.vaultFarm !== ZERO_ADDRESS);
  const market = pickItem(random, state.markets()).address;
  const reserve = pickItem(random, state.reservesOf(market)).address;
  return random.pick<ClaimRequest>([
    { wallet, market },
    { wallet, market, reserve },
    { wallet, vault: pickItem(random, vaults).address },
  ]);
}

/** For shares, or for a loan: all reserves or one. */
function claimOf(
  { cluster, random, wallet }: ActionContext,
  farm: Address,
  delegatee: Address,
): ClaimRequest | undefined {
  const { state } = cluster;
  const vault = state.vaults().find(({ fields }) => fields.vaultFarm === farm);
  if (vault !== undefined) return { wallet, vault: vault.address };
  const market = state.obligation(delegatee)?.fields.lendingMarket;
  const obligation = findLoanKind(state, delegatee);
  if (market === undefined || obligation === undefined) return undefined;
  const reserve = state
    .reservesOf(market)
    .find(({ fields }) => fields.farmCollateral === farm || fields.farmDebt === farm)?.address;
  return { wallet, market, obligation, reserve: random.pick([undefined, reserve]) };
}
