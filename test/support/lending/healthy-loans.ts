import type { Address } from '#core/base/encoding/address.ts';
import type { LendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import type { Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { liquidate } from '#core/protocol/klend/operations/liquidate.ts';
import { dollarLoan } from './dollar-loans.ts';
import { SOL_RESERVE, USDC_RESERVE } from './lending-accounts.ts';

export type LoanChanges = {
  readonly market?: Partial<LendingMarket>;
  readonly obligation?: Partial<Obligation>;
  readonly debt?: Partial<Obligation['borrows'][number]>;
  readonly reserve?: (reserve: Reserve, address: Address) => Reserve;
};

/** 600 of 1,000 USD are borrowed, liquidatable from 800 on. All reserves have the same bonus settings. */
export function healthyLoan({
  market,
  obligation,
  debt,
  reserve = (each) => each,
}: LoanChanges = {}) {
  const { position, context } = dollarLoan({ deposited: 1_000n, borrowed: 600n });
  const withBonus = (each: Reserve): Reserve => ({
    ...each,
    config: {
      ...each.config,
      minLiquidationBonusBps: 200,
      maxLiquidationBonusBps: 1_000,
      minDeleveragingBonusBps: 50,
      deleveragingBonusIncreaseBpsPerDay: 100n,
      deleveragingThresholdDecreaseBpsPerDay: 1_000n,
      protocolLiquidationFeePct: 50,
    },
  });
  const borrows = position.obligation.borrows.map((each, i) =>
    i === 0 ? { ...each, ...debt } : each,
  );
  return {
    context: { ...context, market: { ...context.market, ...market } },
    position: {
      obligation: { ...position.obligation, borrows, ...obligation },
      reserves: new Map(
        [...position.reserves].map(([key, each]) => [key, reserve(withBonus(each), key)]),
      ),
    },
  };
}

/** The result of a liquidation that seizes SOL for USDC. */
export const seize = (changes: LoanChanges, amount = 600n) => {
  const { position, context } = healthyLoan(changes);
  return liquidate(position, context, {
    repayReserve: USDC_RESERVE,
    withdrawReserve: SOL_RESERVE,
    amount,
    minReceived: 0n,
  });
};

export const withReserveConfig =
  (config: Partial<Reserve['config']>) =>
  (reserve: Reserve): Reserve => ({ ...reserve, config: { ...reserve.config, ...config } });
