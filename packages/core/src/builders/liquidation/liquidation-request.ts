import type { Address } from '../../base/encoding/address.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { AmountOrAll, ComputeBudget } from '../build.ts';
import { requireMarketReserve } from '../lending/lending-request.ts';
import { parseAmount, parseAmountOrMax } from '../parse-amount.ts';
import { requirePriceableReserve } from '../require-readable.ts';

export type LiquidationRequest = ComputeBudget & {
  /** The liquidator. */
  readonly wallet: Address;
  readonly market: Address;
  /** The obligation of any owner. */
  readonly loan: Address;
  /** The reserve of the debt that is repaid. */
  readonly repayReserve: Address;
  /** The reserve of the deposit that is seized. */
  readonly withdrawReserve: Address;
  /** The debt's token; `all` repays as much as the program allows when the transaction lands. */
  readonly amount: AmountOrAll;
  /** The transaction fails if it pays less of the deposit's token. Default: 0. */
  readonly minReceived?: bigint | undefined;
};

export type LiquidationRequestFields = Pick<
  LiquidationRequest,
  'wallet' | 'market' | 'loan' | 'repayReserve' | 'withdrawReserve'
> & {
  /** Both in whole tokens. */
  readonly amount: string;
  readonly minReceivedAmount?: string | undefined;
};

export function parseLiquidationRequest(
  { amount, minReceivedAmount, ...addresses }: LiquidationRequestFields,
  state: ClusterReader,
): LiquidationRequest {
  const decimalsOf = (reserve: Address): number => {
    const stored = requireMarketReserve(state, addresses.market, reserve);
    return Number(requirePriceableReserve(state, stored).fields.liquidity.mintDecimals);
  };
  const repayDecimals = decimalsOf(addresses.repayReserve);
  const withdrawDecimals = decimalsOf(addresses.withdrawReserve);
  return {
    ...addresses,
    amount: parseAmountOrMax(amount, repayDecimals),
    ...(minReceivedAmount !== undefined && {
      minReceived: parseAmount(minReceivedAmount, withdrawDecimals),
    }),
  };
}
