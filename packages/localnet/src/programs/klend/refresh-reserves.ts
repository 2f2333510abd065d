import type { Address } from '@tidegate/core/base';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import { refreshReserve, refreshReservesBatch } from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { isPriceReloadDue } from '@tidegate/core/protocol/klend/math';
import {
  type LendingContext,
  refreshReserve as refreshed,
} from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { loadMarketContext, readReserve } from './lending-constraints.ts';
import { type OracleAccounts, readOracle } from './oracle-reading.ts';
import { writeReserve } from './position-accounts.ts';
import { logPrice } from './position-log.ts';

const UNITS = 16_500;
const UNITS_OF_BATCH = 1_000;
const UNITS_OF_EACH = 7_900;

export const refreshReserveHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(refreshReserve, UNITS, ({ accounts, remaining }, call) => {
    const { reserve, lendingMarket, ...oracles } = accounts;
    const terms = loadMarketContext({ call, rules }, lendingMarket);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    refresh(call, terms, { reserve, oracles });
  }),
  anchorHandler(refreshReservesBatch, UNITS_OF_BATCH, ({ args, remaining }, call) => {
    if (args.skipPriceUpdates > 1) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const width = args.skipPriceUpdates === 1 ? 2 : 6;
    for (let at = 0; at < remaining.length; at += width) {
      call.consume(UNITS_OF_EACH);
      refreshOneOfBatch({ call, rules }, remaining.slice(at, at + width), width);
    }
  }),
];

/** `accounts`: the reserve, its market and, where prices are loaded, its four oracles. */
function refreshOneOfBatch(
  lending: { readonly call: InvokeContext; readonly rules: LendingRules },
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
  const terms = loadMarketContext(lending, lendingMarket);
  if (accounts.length < width) throw klendRejection('InvalidAccountInput', 'Missing price account');
  const isPriced = width > 2;
  refresh(call, terms, { reserve, oracles: isPriced ? oraclesOf(call, oracles) : undefined });
}

function oraclesOf(call: InvokeContext, addresses: readonly Address[]): OracleAccounts {
  const present = addresses.map((each) => (each === call.program ? undefined : each));
  const [pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices] = present;
  return { pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices };
}

/** Without oracles the price stays as it is. */
function refresh(
  call: InvokeContext,
  terms: LendingContext,
  { reserve, oracles }: { readonly reserve: Address; readonly oracles: OracleAccounts | undefined },
): void {
  const before = readAccount(call, reserveLayout, reserve);
  const { priceRefreshTriggerToMaxAgePct } = terms.market;
  const isDue = isPriceReloadDue(before, priceRefreshTriggerToMaxAgePct, call.time.unix);
  const reading =
    oracles === undefined || !isDue
      ? { price: undefined, twap: undefined }
      : readOracle(call, before.config.tokenInfo, oracles);
  const after = refreshed(before, terms, reading);
  writeReserve(call, reserve, after);
  if (oracles !== undefined) logPrice(call, after);
}
