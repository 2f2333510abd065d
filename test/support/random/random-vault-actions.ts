import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { claimRewards } from '#core/builders/claims/claim-builder.ts';
import type { ClaimRequest } from '#core/builders/claims/claim-request.ts';
import { forecastClaim } from '#core/builders/simulation/simulate-claim.ts';
import { forecastVaultDeposit } from '#core/builders/simulation/simulate-vault-deposit.ts';
import { forecastVaultWithdraw } from '#core/builders/simulation/simulate-vault-withdraw.ts';
import { vaultDeposit } from '#core/builders/vaults/vault-deposit-builder.ts';
import { vaultWithdraw } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { associatedToken } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { loanKindOf } from './loan-kind.ts';
import type { ActingCluster } from './random-cluster.ts';
import {
  type Act,
  type Chooser,
  inWords,
  maybePick,
  partOf,
  pickHeld,
  pickOf,
  pocketOf,
  prepared,
} from './random-lending-actions.ts';

export function randomVaultDeposit(chooser: Chooser): Act {
  const { cluster, dice, wallet } = chooser;
  const places = cluster.state.vaults().map(({ address, fields }) => {
    const { tokenMint: mint, tokenProgram } = fields;
    return { vault: address, has: pocketOf(chooser, { mint, tokenProgram }) };
  });
  const { vault, has } = pickHeld(dice, places);
  const request = { wallet, vault, amount: partOf(dice, has), stake: dice.pick(STAKES) };
  return {
    words: `vault deposit ${inWords(request)}`,
    prepare: () =>
      prepared(cluster, vaultDeposit, {
        request,
        forecast: (scene) => forecastVaultDeposit(request, scene),
      }),
  };
}

const STAKES = [undefined, true, false] as const;

/** Of shares that the wallet has, in its account or staked. */
export function randomVaultWithdraw({ cluster, dice, wallet }: Chooser): Act | undefined {
  const held = cluster.state.vaults().map(({ address, fields }) => ({
    vault: address,
    shares: sharesOf(cluster, fields, wallet),
  }));
  const some = maybePick(
    dice,
    held.filter(({ shares }) => shares > 0n),
  );
  if (some === undefined) return undefined;
  const { vault } = some;
  const shares = dice.between(0n, 3n) === 0n ? 'all' : partOf(dice, some.shares);
  const request = { wallet, vault, shares } as const;
  return {
    words: `vault withdraw ${inWords(request)}`,
    prepare: () =>
      prepared(cluster, vaultWithdraw, {
        request,
        forecast: (scene) => forecastVaultWithdraw(request, scene),
      }),
  };
}

type VaultFields = ReturnType<ActingCluster['state']['vaults']>[number]['fields'];

function sharesOf(
  { state, book }: ActingCluster,
  { sharesMint, vaultFarm }: VaultFields,
  wallet: Address,
): bigint {
  const staked = state.farmUser(vaultFarm, wallet)?.fields.activeStakeScaled ?? 0n;
  return book.balance(associatedToken(wallet, sharesMint, TOKEN_PROGRAM)) + staked / 10n ** 18n;
}

/** Of a stake that the wallet has; without one, or now and then, of any place. */
export function randomClaim(chooser: Chooser): Act {
  const { cluster, dice, wallet } = chooser;
  const stake = maybePick(dice, cluster.state.farmUsersOf(wallet));
  const own = stake && claimOf(chooser, stake.fields.farmState, stake.fields.delegatee);
  const request = own === undefined || dice.between(0n, 4n) === 0n ? anyClaim(chooser) : own;
  return {
    words: `claim ${inWords({ ...request, wallet })}`,
    prepare: () =>
      prepared(cluster, claimRewards, {
        request,
        forecast: (scene) => forecastClaim(request, scene),
      }),
  };
}

/** From a vault's farm, a whole market, or one reserve. */
function anyClaim({ cluster, dice, wallet }: Chooser): ClaimRequest {
  const { state } = cluster;
  const vaults = state.vaults().filter(({ fields }) => fields.vaultFarm !== ZERO_ADDRESS);
  const market = pickOf(dice, state.markets()).address;
  const reserve = pickOf(dice, state.reservesOf(market)).address;
  return dice.pick<ClaimRequest>([
    { wallet, market },
    { wallet, market, reserve },
    { wallet, vault: pickOf(dice, vaults).address },
  ]);
}

/** For shares, or for a loan: all of it or one of its reserves. */
function claimOf(
  { cluster, dice, wallet }: Chooser,
  farm: Address,
  delegatee: Address,
): ClaimRequest | undefined {
  const { state } = cluster;
  const vault = state.vaults().find(({ fields }) => fields.vaultFarm === farm);
  if (vault !== undefined) return { wallet, vault: vault.address };
  const market = state.obligation(delegatee)?.fields.lendingMarket;
  const obligation = loanKindOf(state, delegatee);
  if (market === undefined || obligation === undefined) return undefined;
  const reserve = state
    .reservesOf(market)
    .find(({ fields }) => fields.farmCollateral === farm || fields.farmDebt === farm)?.address;
  return { wallet, market, obligation, reserve: dice.pick([undefined, reserve]) };
}
