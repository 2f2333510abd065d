import { type Address, READ, WRITE } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  calculateCtokenExchangeRate,
  ctokenExchangeRate,
  refreshReservesBatch,
} from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { scopeRejection } from '@tidegate/core/protocol/scope';
import type { CTokenRate } from '@tidegate/core/protocol/scope/math';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';

/**
 * Refreshes a reserve without its prices and asks the lending program for the rate of its cTokens. Takes the lending
 * program and the market of the reserve from the given accounts.
 */
export function callExchangeRate(
  call: InvokeContext,
  reserve: Address,
  given: Iterator<Address, undefined>,
): CTokenRate {
  if (!reserveLayout.matches(call.account(reserve))) {
    throw scopeRejection('UnableToDeserializeAccount', `${reserve} is not a reserve`);
  }
  const { lendingMarket } = readAccount(call, reserveLayout, reserve);
  const [program, market] = [given.next().value, given.next().value];
  if (program === undefined || market === undefined) {
    throw scopeRejection(
      'AccountsAndTokenMismatch',
      'the lending program or the market is missing',
    );
  }
  if (program !== KLEND_PROGRAM || market !== lendingMarket) {
    const reason = `${program} and ${market} are given instead of ${KLEND_PROGRAM} and ${lendingMarket}`;
    throw scopeRejection('UnexpectedAccount', reason);
  }
  call.invoke(
    refreshReservesBatch.build(KLEND_PROGRAM, {
      accounts: {},
      args: { skipPriceUpdates: 1 },
      remaining: [
        { address: reserve, role: WRITE },
        { address: market, role: READ },
      ],
    }),
  );
  const rate = calculateCtokenExchangeRate.build(KLEND_PROGRAM, {
    accounts: { reserve },
    args: {},
  });
  const returned = call.invoke(rate);
  if (returned?.length !== ctokenExchangeRate.size) {
    throw scopeRejection('KlendCTokenExchangeRateCPIError', 'the lending program returned no rate');
  }
  return ctokenExchangeRate.decode(new DataView(returned.buffer, returned.byteOffset), 0);
}
