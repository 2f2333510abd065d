import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { ratioOfUnits } from '../../base/numbers/ratio.ts';
import { floorSf } from '../../base/numbers/scaled-fraction.ts';
import type { ChainTime, Slot } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { payableLiquidity } from '../../protocol/klend/math/liquidity.ts';
import type { ProgramRules } from '../../protocol/releases/program-rules.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import { computeFigure } from '../lending/unavailable-figures.ts';
import type { VaultSnapshot } from './vault-snapshot.ts';

type LiquiditySource = {
  reserve(address: Address): AddressedAccount<ReserveView> | undefined;
  at(): ChainTime;
  rulesAt(slot: Slot): Pick<ProgramRules, 'lending'>;
};

/**
 * Whole tokens that all shares together can withdraw at once: what the vault holds, and of each investment what its
 * reserve pays out now. Never more than the shares are worth.
 */
export const vaultWithdrawable = (vault: VaultSnapshot, source: LiquiditySource): Ratio =>
  computeFigure(vault.address, () => {
    const { fields, holdings, aum } = vault;
    const { slot, unix: now } = source.at();
    const rules = source.rulesAt(slot).lending;
    let total: bigint = holdings.available;
    for (const { reserve: address, liquidity } of holdings.invested) {
      const reserve = vault.reserves.get(address);
      const account = source.reserve(address)?.fields;
      if (reserve === undefined || account === undefined) continue;
      const { collateral, withdrawQueue, config } = account;
      const paying = { liquidity: reserve.snapshot.liquidity, collateral, withdrawQueue, config };
      const payable = payableLiquidity(paying, reserve.market.fields, { now, rules });
      total += minOf(floorSf(liquidity), payable);
    }
    return ratioOfUnits(minOf(total, floorSf(aum)), fields.tokenMintDecimals);
  });

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
