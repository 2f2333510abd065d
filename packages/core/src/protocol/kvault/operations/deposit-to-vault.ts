import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { addSf, type Sf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { usedAllocations } from '../math/holdings.ts';
import { sharesToMint, tokensForShares } from '../math/shares.ts';
import { refreshVault, type VaultContext } from './refresh-vault.ts';

/** The user pays `tokenToDeposit + crankFundsToDeposit`, at most the offer. */
export type DepositEffects = {
  readonly vault: VaultState;
  readonly sharesToMint: bigint;
  readonly tokenToDeposit: Lamports;
  readonly crankFundsToDeposit: Lamports;
};

/** `deposit` and `buy`. */
export function depositToVault(
  vault: VaultState,
  context: VaultContext,
  maxAmount: bigint,
): DepositEffects {
  if (maxAmount === 0n) throw kvaultRejection('DepositAmountsZero', 'the amount is zero');
  const crankFundsToDeposit = crankFunds(vault);
  // panics if the amount is less than the fee, before the minimum is checked
  const offered = toLamports(maxAmount - crankFundsToDeposit);
  const { vault: refreshed, aum } = refreshVault(vault, context);
  const pool = { aum, sharesIssued: refreshed.sharesIssued };
  const shares = sharesToMint(pool, offered);
  const tokens = tokensForShares(pool, shares);
  if (tokens < vault.minDepositAmount) {
    const reason = `the deposit of ${tokens} is below the minimum of ${vault.minDepositAmount}`;
    throw kvaultRejection('DepositAmountBelowMinimum', reason, {
      unit: 'token',
      needed: vault.minDepositAmount,
      available: tokens,
      limit: vault.minDepositAmount,
    });
  }
  checkDepositCap(vault, addSf(aum, sfFromInt(tokens)));
  if (shares === 0n) {
    throw kvaultRejection(
      'DepositAmountsZeroShares',
      `${offered} lamports are less than the price of one share`,
    );
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

/** By its description in the program's interface: a deposit may not raise the AUM above the cap. */
function checkDepositCap({ depositCap }: VaultState, aum: Sf): void {
  if (depositCap === 0n || aum <= sfFromInt(depositCap)) return;
  const reason = `the vault would hold more than its deposit cap of ${depositCap}`;
  throw kvaultRejection('VaultDepositCapReached', reason);
}

/** What a deposit pays for the later `invest`: one fee per reserve that it can add to. */
export function crankFunds(vault: VaultState): Lamports {
  const investable = usedAllocations(vault).filter(
    ({ targetAllocationWeight, tokenAllocationCap }) =>
      targetAllocationWeight > 0n && tokenAllocationCap > 0n,
  );
  return toLamports(BigInt(investable.length) * vault.crankFundFeePerReserve);
}
