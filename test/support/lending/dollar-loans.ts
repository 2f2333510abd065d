import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '#core/protocol/klend/operations/position.ts';
import { refreshObligation } from '#core/protocol/klend/operations/refresh/refresh-obligation.ts';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserve,
  SOL_RESERVE,
  USDC_RESERVE,
} from './lending-accounts.ts';

export type DollarLoan = {
  readonly deposited: bigint;
  readonly borrowed: bigint;
  readonly ltv?: number;
  readonly threshold?: number;
  readonly usdc?: (reserve: Reserve) => Reserve;
  readonly obligation?: Partial<Obligation>;
};

/** One deposit and one debt with base units of one dollar, so that all values are integers. */
export function dollarLoan({
  deposited,
  borrowed,
  ltv = 50,
  threshold = 80,
  usdc,
  obligation,
}: DollarLoan): {
  position: ObligationPosition;
  context: LendingContext;
} {
  const context = exampleLendingContext();
  const base = exampleReserve();
  const plain: Reserve = {
    ...base,
    liquidity: {
      ...base.liquidity,
      totalAvailableAmount: toLamports(10n ** 12n),
      borrowedAmountSf: sfFromInt(borrowed),
      accumulatedProtocolFeesSf: sfFromBits(0n),
      marketPriceSf: sfFromInt(1_000_000n),
    },
    collateral: { ...base.collateral, mintTotalSupply: 10n ** 12n + borrowed },
    config: { ...base.config, loanToValuePct: ltv, liquidationThresholdPct: threshold },
  };
  const example = exampleObligation();
  const before: Obligation = {
    ...example,
    deposits: example.deposits.map((entry, i) => ({
      ...entry,
      depositReserve: i === 0 ? SOL_RESERVE : ZERO_ADDRESS,
      depositedAmount: i === 0 ? deposited : 0n,
    })),
    borrows: example.borrows.map((entry, i) =>
      i === 0 && borrowed > 0n
        ? { ...entry, borrowedAmountSf: sfFromInt(borrowed) }
        : { ...entry, borrowReserve: ZERO_ADDRESS, borrowedAmountSf: sfFromBits(0n) },
    ),
    ...obligation,
  };
  const reserves = new Map([
    [SOL_RESERVE, plain],
    [USDC_RESERVE, usdc?.(plain) ?? plain],
  ]);
  return { context, position: refreshObligation({ obligation: before, reserves }, context) };
}

/** Returns a function that changes the config of a reserve. */
export const withConfig =
  (config: Partial<Reserve['config']>) =>
  (reserve: Reserve): Reserve => ({
    ...reserve,
    config: { ...reserve.config, ...config },
  });
