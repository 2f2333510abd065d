import { sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds, type UnixSeconds } from '../../../../base/time.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { accrualTerms, accrueReserve } from '../../math/accrual/accrual.ts';
import { updateTime } from '../../math/accrual/accrual-duration.ts';
import {
  isPriceReloadDue,
  isStoredPriceFresh,
  type OraclePrice,
  priceStatus,
} from '../../math/price-status.ts';
import { totalSupply } from '../../math/supply.ts';
import type { LendingContext } from '../position.ts';

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
  // the program reads a price that 60 bits round down to zero, and then does not load it
  const isLoadable = price?.price !== 0n || context.rules.zeroPrice === 'loaded';
  const loaded = due && isLoadable && reserve.config.emergencyMode === 0 ? price : undefined;
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
  { market, time, rules }: LendingContext,
): Reserve {
  const { cumulativeBorrowRate, ...accrued } = accrueReserve(reserve, {
    time,
    rules,
    ...accrualTerms(market),
  });
  const { liquidity, lastUpdate } = reserve;
  const isEmergency = reserve.config.emergencyMode !== 0;
  const isPriced = !isEmergency && isStoredPriceFresh(reserve, time.unix);
  const status = isPriced ? lastUpdate.priceStatus : 0;
  const refreshed = {
    ...reserve,
    config: withoutReservedBytes(reserve.config, rules),
    lastUpdate: { ...updateTime(lastUpdate, time, rules), stale: 0, priceStatus: status },
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
  return withLimitTimestamps(refreshed, { time, rules });
}

/** Every refresh sets the reserved bytes to zero, which before release 1.25 begin with the basis. */
function withoutReservedBytes(
  config: Reserve['config'],
  { accrualBasis }: LendingContext['rules'],
): Reserve['config'] {
  const isBasisReserved = accrualBasis === 'slots' && config.interestRateBasis !== 0;
  if (!isBasisReserved && config.reserved1.every((byte) => byte === 0)) return config;
  return {
    ...config,
    reserved1: new Uint8Array(config.reserved1.length),
    interestRateBasis: isBasisReserved ? 0 : config.interestRateBasis,
  };
}

/** `markCrossedLimits`, for operations that do it only since release 1.24. */
export const withLimitTimestamps = (
  reserve: Reserve,
  { time, rules }: Pick<LendingContext, 'time' | 'rules'>,
): Reserve =>
  rules.limitTimestamps === 'every operation' ? markCrossedLimits(reserve, time.unix) : reserve;

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
