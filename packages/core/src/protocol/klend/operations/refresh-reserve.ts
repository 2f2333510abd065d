import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds, type UnixSeconds } from '../../../base/time.ts';
import type { Reserve } from '../layout/reserve.ts';
import { accrualTerms, accrueReserve } from '../math/accrual.ts';
import {
  isPriceReloadDue,
  isStoredPriceFresh,
  type OraclePrice,
  priceStatus,
} from '../math/price-status.ts';
import { totalSupply } from '../math/supply.ts';
import type { LendingContext } from './position.ts';

/** The prices of a reserve's token. Undefined if the oracle has no price. */
export type OracleReading = {
  readonly price: OraclePrice | undefined;
  readonly twap: OraclePrice | undefined;
};

/**
 * The `refreshReserve` instruction: accrues interest, distributes rewards, reloads the price if due and marks crossed
 * limits.
 */
export function refreshReserve(
  reserve: Reserve,
  context: LendingContext,
  oracle: OracleReading,
): Reserve {
  const { market, time } = context;
  const due = isPriceReloadDue(reserve, market.priceRefreshTriggerToMaxAgePct, time.unix);
  const { price, twap } = oracle;
  const loaded = due && reserve.config.emergencyMode === 0 ? price : undefined;
  const refreshed = accrueReserveToSlot(reserve, context);
  const priced =
    loaded === undefined
      ? refreshed
      : {
          ...refreshed,
          lastUpdate: {
            ...refreshed.lastUpdate,
            priceStatus: priceStatus(reserve.config.tokenInfo, {
              price: loaded,
              twap,
              now: time.unix,
            }),
          },
          liquidity: {
            ...refreshed.liquidity,
            marketPriceSf: loaded.price,
            marketPriceLastUpdatedTs: loaded.unix,
          },
        };
  return markCrossedLimits(priced, time.unix);
}

/**
 * Accrues interest and rewards without the oracle, as operations do. A price that is too old loses its checks. In emergency
 * mode the price has neither checks nor a time.
 */
export function accrueReserveToSlot(
  reserve: Reserve,
  { market, time }: Pick<LendingContext, 'market' | 'time'>,
): Reserve {
  const { slot, unix } = time;
  const { cumulativeBorrowRate, ...accrued } = accrueReserve(reserve, {
    slot,
    ...accrualTerms(market),
  });
  const { liquidity, lastUpdate } = reserve;
  const isEmergency = reserve.config.emergencyMode !== 0;
  const isPriced = !isEmergency && isStoredPriceFresh(reserve, unix);
  const status = isPriced ? lastUpdate.priceStatus : 0;
  return {
    ...reserve,
    lastUpdate: { ...lastUpdate, slot, stale: 0, priceStatus: status },
    liquidity: {
      ...liquidity,
      ...accrued,
      marketPriceLastUpdatedTs: isEmergency
        ? toUnixSeconds(0n)
        : liquidity.marketPriceLastUpdatedTs,
      cumulativeBorrowRateBsf: {
        ...liquidity.cumulativeBorrowRateBsf,
        value: cumulativeBorrowRate,
      },
    },
  };
}

/** Records when supply and debt exceeded their limits, or 0 if they do not. */
export function markCrossedLimits(reserve: Reserve, now: UnixSeconds): Reserve {
  const { liquidity, config } = reserve;
  const depositCrossed = totalSupply(liquidity) > sfFromInt(config.depositLimit);
  const borrowCrossed = liquidity.borrowedAmountSf > sfFromInt(config.borrowLimit);
  const since = (crossed: boolean, at: UnixSeconds): UnixSeconds => {
    if (!crossed) return toUnixSeconds(0n);
    return at === 0n ? now : at;
  };
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      depositLimitCrossedTimestamp: since(depositCrossed, liquidity.depositLimitCrossedTimestamp),
      borrowLimitCrossedTimestamp: since(borrowCrossed, liquidity.borrowLimitCrossedTimestamp),
    },
  };
}
