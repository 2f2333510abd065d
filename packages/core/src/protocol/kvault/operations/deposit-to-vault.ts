import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { addSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { usedAllocations } from '../math/holdings.ts';
import { sharesToMint, tokensForShares } from '../math/shares.ts';
import { refreshVault, type VaultContext } from './refresh-vault.ts';

/** The user pays `tokenToDeposit + crankFundsToDeposit`, at most what was offered. */
export type DepositEffects = {
  readonly vault: VaultState;
  readonly sharesToMint: bigint;
  readonly tokenToDeposit: Lamports;
  readonly crankFundsToDeposit: Lamports;
};

/** `deposit` and `buy`. */
export function depositToVault(
  vault: VaultState,
  moment: VaultContext,
  maxAmount: bigint,
): DepositEffects {
  if (maxAmount === 0n) throw kvaultRejection('DepositAmountsZero', 'the amount is zero');
  const crankFundsToDeposit = crankFunds(vault);
  const offered = toLamports(maxAmount - crankFundsToDeposit);
  const { vault: refreshed, aum } = refreshVault(vault, moment);
  const pool = { aum, sharesIssued: refreshed.sharesIssued };
  const shares = sharesToMint(pool, offered);
  const tokens = tokensForShares(pool, shares);
  if (tokens < vault.minDepositAmount) {
    const reason = `its whole shares cost ${tokens}, the vault takes ${vault.minDepositAmount} or more`;
    throw kvaultRejection('DepositAmountBelowMinimum', reason);
  }
  if (shares === 0n) {
    throw kvaultRejection('DepositAmountsZeroShares', `${offered} is less than one share costs`);
  }
  return {
    vault: {
      ...refreshed,
      tokenAvailable: toLamports(refreshed.tokenAvailable + tokens),
      sharesIssued: toU64(refreshed.sharesIssued + shares, 'shares of the vault'),
      availableCrankFunds: toLamports(refreshed.availableCrankFunds + crankFundsToDeposit),
      prevAumSf: addSf(aum, sfFromInt(tokens)),
    },
    sharesToMint: shares,
    tokenToDeposit: tokens,
    crankFundsToDeposit,
  };
}

/** A fee for each reserve that `invest` may put something into. */
function crankFunds(vault: VaultState): Lamports {
  const fed = usedAllocations(vault).filter(
    ({ targetAllocationWeight, tokenAllocationCap }) =>
      targetAllocationWeight > 0n && tokenAllocationCap > 0n,
  );
  return toLamports(BigInt(fed.length) * vault.crankFundFeePerReserve);
}
