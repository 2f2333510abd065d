import type { Address } from '../../../base/encoding/address.ts';
import { tryDecodeCall } from '../../spl/instruction-events.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import { refreshReserve, refreshReservesBatch } from '../instructions/refresh.ts';

/** The price of a reserve after a refresh, as the program logs it: rounded to four decimals. */
export type LoggedPrice = {
  readonly reserve: Address;
  /** USD per whole token, times 10^4. */
  readonly tenThousandths: bigint;
};

const PRICE = /^Token: .* Price: (\d{1,30})\.(\d{4})$/;

/** The reserve, its market and four oracles. */
const ACCOUNTS_PER_RESERVE = 6;

/** The prices that a call of the lending program logs. `logs`: the lines that the call itself wrote. */
export function readLoggedPrices(call: Call, logs: readonly string[]): readonly LoggedPrice[] {
  const reserves = pricedReserves(call);
  if (reserves.length === 0) return [];
  const prices = logs.flatMap((line) => {
    const [, whole, decimals] = PRICE.exec(line) ?? [];
    return whole === undefined || decimals === undefined ? [] : [BigInt(whole + decimals)];
  });
  // a log without the line of a reserve does not tell whose the others are
  if (prices.length !== reserves.length) return [];
  return reserves.flatMap((reserve, index) => {
    const tenThousandths = prices[index] ?? 0n;
    return tenThousandths === 0n ? [] : [{ reserve, tenThousandths }];
  });
}

/** The reserves whose prices the call logs, in the order of the log. */
function pricedReserves(call: Call): readonly Address[] {
  const single = tryDecodeCall(refreshReserve, call);
  if (single !== undefined) return [single.accounts.reserve];
  const batch = tryDecodeCall(refreshReservesBatch, call);
  if (batch === undefined || batch.args.skipPriceUpdates !== 0) return [];
  return batch.remaining.filter((_, index) => index % ACCOUNTS_PER_RESERVE === 0);
}
