import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { addSf, ceilSf, type Sf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { usedAllocations } from '../math/holdings.ts';
import { sharesToMint, tokensForShares } from '../math/shares.ts';
import type { VaultRules } from '../releases.ts';
import { refreshVault, type VaultContext } from './refresh-vault.ts';

export type DepositOffer = {
  /** Includes the crank funds. */
  readonly maxAmount: bigint;
  /** Only the instructions with this limit have it. */
  readonly minSharesOut?: bigint;
};

/** The user pays `tokenToDeposit + crankFundsToDeposit`, at most the offer. */
export type DepositEffects = {
  readonly vault: VaultState;
  readonly sharesToMint: bigint;
  readonly tokenToDeposit: Lamports;
  readonly crankFundsToDeposit: Lamports;
  /** Whether the deposit cap of the vault has reduced the deposit. */
  readonly isCut: boolean;
};

/** `deposit` and `buy`, also with a minimum of shares. */
export function depositToVault(
  vault: VaultState,
  context: VaultContext,
  { maxAmount, minSharesOut = 0n }: DepositOffer,
): DepositEffects {
  if (maxAmount === 0n) throw kvaultRejection('DepositAmountsZero', 'the amount is zero');
  const crankFundsToDeposit = crankFunds(vault);
  // panics if the amount is less than the fee, before the minimum is checked
  const offered = toLamports(maxAmount - crankFundsToDeposit);
  const { vault: refreshed, aum } = refreshVault(vault, context);
  const pool = { aum, sharesIssued: refreshed.sharesIssued };
  const room = depositRoom(vault, aum, context.rules);
  if (room === 0n) {
    const reason = `the vault holds its deposit cap of ${vault.depositCap} or more`;
    throw kvaultRejection('VaultDepositCapReached', reason);
  }
  const isCut = offered > room;
  const shares = sharesToMint(pool, isCut ? room : offered);
  const tokens = tokensForShares(pool, shares);
  checkDeposit(vault, { shares, tokens, isCut, minSharesOut });
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
    isCut,
  };
}

/** The lamports that deposits may add until the AUM reaches the cap of the vault. */
function depositRoom({ depositCap }: VaultState, aum: Sf, rules: VaultRules): bigint {
  if (rules.depositCap === 'none') return U64_MAX;
  const cap = depositCap === 0n ? U64_MAX : depositCap;
  const held = ceilSf(aum);
  return held < cap ? cap - held : 0n;
}

type ComputedDeposit = Pick<DepositEffects, 'isCut'> & {
  readonly shares: bigint;
  readonly tokens: Lamports;
  readonly minSharesOut: bigint;
};

function checkDeposit(vault: VaultState, deposit: ComputedDeposit): void {
  const { shares, tokens, isCut, minSharesOut } = deposit;
  const { minDepositAmount: limit } = vault;
  if (tokens < limit) {
    const reason = `the deposit of ${tokens} is below the minimum of ${limit}`;
    if (isCut) {
      const cap = `, and the deposit cap of ${vault.depositCap} allows no more`;
      throw kvaultRejection('VaultDepositCapReached', reason + cap);
    }
    const figures = { unit: 'token', needed: limit, available: tokens, limit } as const;
    throw kvaultRejection('DepositAmountBelowMinimum', reason, figures);
  }
  if (shares === 0n) {
    const reason = 'the deposit is less than the price of one share';
    throw kvaultRejection('DepositAmountsZeroShares', reason);
  }
  if (shares < minSharesOut) {
    const reason = `the deposit issues ${shares} shares, fewer than ${minSharesOut}`;
    throw kvaultRejection('SharesOutBelowMinimum', reason);
  }
}

/** What a deposit pays for the later `invest`: one fee per reserve that it can add to. */
export function crankFunds(vault: VaultState): Lamports {
  const investable = usedAllocations(vault).filter(
    ({ targetAllocationWeight, tokenAllocationCap }) =>
      targetAllocationWeight > 0n && tokenAllocationCap > 0n,
  );
  return toLamports(BigInt(investable.length) * vault.crankFundFeePerReserve);
}
