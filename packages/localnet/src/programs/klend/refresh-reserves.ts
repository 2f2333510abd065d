import type { Address } from '@tidegate/core/base';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  calculateCtokenExchangeRate,
  ctokenExchangeRate,
  refreshReserve,
  refreshReservesBatch,
} from '@tidegate/core/protocol/klend/instructions';
import { type Reserve, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  collateralWorth,
  exchangeRate,
  isPriceReloadDue,
} from '@tidegate/core/protocol/klend/math';
import {
  type LendingContext,
  refreshReserve as refreshed,
  requireFresh,
} from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { type LendingCall, loadMarketContext, readReserve } from './lending-constraints.ts';
import { type OracleAccounts, readOracle } from './oracle-reading.ts';
import { writeReserve } from './position-accounts.ts';
import { logPrice } from './position-log.ts';

const UNITS = 16_500;
const BATCH_UNITS = 1_000;
const UNITS_PER_RESERVE = 7_900;
const RATE_UNITS = 3_000;

export const refreshReserveHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(refreshReserve, UNITS, ({ accounts, remaining }, call) => {
    const { reserve, lendingMarket, ...oracles } = accounts;
    const context = loadMarketContext({ call, rules }, lendingMarket);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    refresh({ call, rules }, context, { reserve, oracles });
  }),
  anchorHandler(refreshReservesBatch, BATCH_UNITS, ({ args, remaining }, call) => {
    if (args.skipPriceUpdates > 1) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const width = args.skipPriceUpdates === 1 ? 2 : 6;
    for (let offset = 0; offset < remaining.length; offset += width) {
      call.consumeUnits(UNITS_PER_RESERVE);
      refreshBatchEntry({ call, rules }, remaining.slice(offset, offset + width), width);
    }
  }),
  anchorHandler(calculateCtokenExchangeRate, RATE_UNITS, ({ accounts, remaining }, call) => {
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    const reserve = readAccount(call, reserveLayout, accounts.reserve);
    requireFresh(reserve, { time: call.time }, { what: 'Reserve', checks: 0 });
    call.setReturnData(encodeExchangeRate(reserve, rules));
  }),
];

/** The program's decimals of cTokens, whatever those of their liquidity are. */
const ONE_CTOKEN = 1_000_000n;

function encodeExchangeRate(reserve: Reserve, rules: LendingRules): Uint8Array {
  const { mintDecimals } = reserve.liquidity;
  if (mintDecimals > 255n) throw klendRejection('IntegerOverflow', `${mintDecimals} decimals`);
  const exchangeRateSf = collateralWorth(exchangeRate(reserve, rules), ONE_CTOKEN);
  const bytes = new Uint8Array(ctokenExchangeRate.size);
  ctokenExchangeRate.encode(new DataView(bytes.buffer), 0, {
    exchangeRateSf,
    mintDecimals: Number(mintDecimals),
  });
  return bytes;
}

/** `accounts`: the reserve, its market and, if prices are loaded, its four oracles. */
function refreshBatchEntry(
  lending: LendingCall,
  accounts: readonly Address[],
  width: number,
): void {
  const { call } = lending;
  const [reserve, lendingMarket, ...oracles] = accounts;
  if (reserve === undefined || lendingMarket === undefined) {
    throw klendRejection('InvalidAccountInput', 'Missing lending market account');
  }
  const fields = readAccount(call, reserveLayout, reserve);
  if (!call.isWritable(reserve)) throw anchorFailure(call, 'AccountNotMutable');
  if (fields.lendingMarket !== lendingMarket) {
    throw klendRejection('InvalidAccountInput', `the reserve ${reserve} is of another market`);
  }
  const context = loadMarketContext(lending, lendingMarket);
  if (accounts.length < width) throw klendRejection('InvalidAccountInput', 'Missing price account');
  const isPriced = width > 2;
  refresh(lending, context, {
    reserve,
    oracles: isPriced ? toOracleAccounts(call, oracles) : undefined,
  });
}

function toOracleAccounts(call: InvokeContext, addresses: readonly Address[]): OracleAccounts {
  const present = addresses.map((address) => (address === call.program ? undefined : address));
  const [pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices] = present;
  return { pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices };
}

/** Without oracles, the price stays. Those of a reserve in emergency mode are not even checked. */
function refresh(
  lending: LendingCall,
  context: LendingContext,
  { reserve, oracles }: { readonly reserve: Address; readonly oracles: OracleAccounts | undefined },
): void {
  const { call } = lending;
  const before = readAccount(call, reserveLayout, reserve);
  const { priceRefreshTriggerToMaxAgePct } = context.market;
  const isDue = isPriceReloadDue(before, priceRefreshTriggerToMaxAgePct, call.time.unix);
  const reading =
    oracles === undefined || !isDue || before.config.emergencyMode !== 0
      ? { price: undefined, twap: undefined }
      : readOracle(lending, before.config.tokenInfo, oracles);
  const after = refreshed(before, context, reading);
  writeReserve(call, reserve, after);
  if (oracles !== undefined) logPrice(call, after);
}
