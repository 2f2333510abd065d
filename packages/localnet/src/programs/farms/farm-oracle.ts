import type { Address } from '@tidegate/core/base';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { type FarmContext, hasOracle } from '@tidegate/core/protocol/farms/math';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { requireFarmRule } from './farm-constraints.ts';

/**
 * The current time and the oracle price that the farm uses. A price account that is not needed must
 * still be valid.
 */
export function readFarmContext(
  call: InvokeContext,
  farm: FarmState,
  scopePrices: Address | undefined,
): FarmContext {
  const view = scopePrices === undefined ? undefined : oraclePrices.view(call.account(scopePrices));
  if (!hasOracle(farm)) return { at: call.time };
  const reason = 'the farm counts by an oracle price, and its price account is not given';
  requireFarmRule(
    view !== undefined && scopePrices === farm.scopePrices,
    'InvalidOracleConfig',
    reason,
  );
  const price = view?.prices.at(Number(farm.scopeOraclePriceId));
  if (price === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return {
    at: call.time,
    price: {
      price: { value: price.price.value, exp: price.price.exp },
      unixTimestamp: price.unixTimestamp,
    },
  };
}
