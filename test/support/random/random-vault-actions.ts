import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import type { ClaimRequest } from '#core/builders/claims/claim-request.ts';
import { simulateClaim } from '#core/builders/simulation/simulate-claim.ts';
import { simulateVaultDeposit } from '#core/builders/simulation/simulate-vault-deposit.ts';
import { simulateVaultWithdraw } from '#core/builders/simulation/simulate-vault-withdraw.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
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

export function randomVaultDeposit(chooser: ActionContext): RandomAction {
  const { cluster, dice, wallet } = chooser;
  const places = cluster.state.vaults().map(({ address, fields }) => {
    const { tokenMint: mint, tokenProgram } = fields;
    return { vault: address, has: spendableBalance(chooser, { mint, tokenProgram }) };
  });
  const { vault, has } = pickMostlyHeld(dice, places);
  const request = { wallet, vault, amount: randomPart(dice, has), stake: dice.pick(STAKES) };
  return {
    words: `vault deposit ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, vaultDepositBuilder, {
        request,
        forecast: (scene) => simulateVaultDeposit(request, scene),
      }),
  };
}

const STAKES = [undefined, true, false] as const;

/** Of shares that the wallet has, in its account or staked. */
export function randomVaultWithdraw({
  cluster,
  dice,
  wallet,
}: ActionContext): RandomAction | undefined {
  const held = cluster.state.vaults().map(({ address, fields }) => ({
    vault: address,
    shares: sharesOf(cluster, fields, wallet),
  }));
  const some = pickOptionalItem(
    dice,
    held.filter(({ shares }) => shares > 0n),
  );
  if (some === undefined) return undefined;
  const { vault } = some;
  const shares = dice.between(0n, 3n) === 0n ? 'all' : randomPart(dice, some.shares);
  const request = { wallet, vault, shares } as const;
  return {
    words: `vault withdraw ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, vaultWithdrawBuilder, {
        request,
        forecast: (scene) => simulateVaultWithdraw(request, scene),
      }),
  };
}

type VaultFields = ReturnType<RandomCluster['state']['vaults']>[number]['fields'];

function sharesOf(
  { state, book }: RandomCluster,
  { sharesMint, vaultFarm }: VaultFields,
  wallet: Address,
): bigint {
  const staked = state.farmUser(vaultFarm, wallet)?.fields.activeStakeScaled ?? 0n;
  return (
    book.balance(associatedTokenAddress(wallet, sharesMint, TOKEN_PROGRAM)) + staked / 10n ** 18n
  );
}

/** Of a stake that the wallet has; without one, or now and then, of any place. */
export function randomClaim(chooser: ActionContext): RandomAction {
  const { cluster, dice, wallet } = chooser;
  const stake = pickOptionalItem(dice, cluster.state.farmUsersOf(wallet));
  const own = stake && claimOf(chooser, stake.fields.farmState, stake.fields.delegatee);
  const request = own === undefined || dice.between(0n, 4n) === 0n ? anyClaim(chooser) : own;
  return {
    words: `claim ${describeRequest({ ...request, wallet })}`,
    prepare: () =>
      prepareAction(cluster, claimBuilder, {
        request,
        forecast: (scene) => simulateClaim(request, scene),
      }),
  };
}

/** From a vault's farm, a whole market, or one reserve. */
function anyClaim({ cluster, dice, wallet }: ActionContext): ClaimRequest {
  const { state } = cluster;
  const vaults = state.vaults().filter(({ fields }) => fields.vaultFarm !== ZERO_ADDRESS);
  const market = pickItem(dice, state.markets()).address;
  const reserve = pickItem(dice, state.reservesOf(market)).address;
  return dice.pick<ClaimRequest>([
    { wallet, market },
    { wallet, market, reserve },
    { wallet, vault: pickItem(dice, vaults).address },
  ]);
}

/** For shares, or for a loan: all of it or one of its reserves. */
function claimOf(
  { cluster, dice, wallet }: ActionContext,
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
  return { wallet, market, obligation, reserve: dice.pick([undefined, reserve]) };
}
