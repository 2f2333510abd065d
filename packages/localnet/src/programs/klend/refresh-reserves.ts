import type { Address } from '@tidegate/core/base';
import { klendRefuses, type LendingRules } from '@tidegate/core/protocol/klend';
import { refreshReserve, refreshReservesBatch } from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { priceReloadIsDue } from '@tidegate/core/protocol/klend/math';
import { refreshReserve as refreshed, type Terms } from '@tidegate/core/protocol/klend/operations';
import type { Call } from '../../runtime/program.ts';
import { readFields } from '../../runtime/typed-accounts.ts';
import { anchorFails, type Handler, handles } from '../framework/anchor-program.ts';
import { openMarket, readReserve } from './lending-constraints.ts';
import { type Oracles, readOracle } from './oracle-reading.ts';
import { writeReserve } from './position-accounts.ts';
import { logPrice } from './position-log.ts';

const UNITS = 16_500;
const UNITS_OF_BATCH = 1_000;
const UNITS_OF_EACH = 7_900;

export const refreshReserveHandlers = (rules: LendingRules): Handler[] => [
  handles(refreshReserve, UNITS, ({ accounts, remaining }, call) => {
    const { reserve, lendingMarket, ...oracles } = accounts;
    const terms = openMarket({ call, rules }, lendingMarket);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRefuses('InvalidAccountInput', 'accounts are left over');
    refresh(call, terms, { reserve, oracles });
  }),
  handles(refreshReservesBatch, UNITS_OF_BATCH, ({ args, remaining }, call) => {
    if (args.skipPriceUpdates > 1) throw anchorFails(call, 'InstructionDidNotDeserialize');
    const width = args.skipPriceUpdates === 1 ? 2 : 6;
    for (let at = 0; at < remaining.length; at += width) {
      call.consume(UNITS_OF_EACH);
      refreshOneOfBatch({ call, rules }, remaining.slice(at, at + width), width);
    }
  }),
];

/** `accounts`: the reserve, its market and, where prices are loaded, its four oracles. */
function refreshOneOfBatch(
  lending: { readonly call: Call; readonly rules: LendingRules },
  accounts: readonly Address[],
  width: number,
): void {
  const { call } = lending;
  const [reserve, lendingMarket, ...oracles] = accounts;
  if (reserve === undefined || lendingMarket === undefined) {
    throw klendRefuses('InvalidAccountInput', 'Missing lending market account');
  }
  const fields = readFields(call, reserveLayout, reserve);
  if (!call.isWritable(reserve)) throw anchorFails(call, 'AccountNotMutable');
  if (fields.lendingMarket !== lendingMarket) {
    throw klendRefuses('InvalidAccountInput', `the reserve ${reserve} is of another market`);
  }
  const terms = openMarket(lending, lendingMarket);
  if (accounts.length < width) throw klendRefuses('InvalidAccountInput', 'Missing price account');
  const isPriced = width > 2;
  refresh(call, terms, { reserve, oracles: isPriced ? oraclesOf(call, oracles) : undefined });
}

function oraclesOf(call: Call, addresses: readonly Address[]): Oracles {
  const present = addresses.map((each) => (each === call.program ? undefined : each));
  const [pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices] = present;
  return { pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices };
}

/** Without oracles the price stays as it is. */
function refresh(
  call: Call,
  terms: Terms,
  { reserve, oracles }: { readonly reserve: Address; readonly oracles: Oracles | undefined },
): void {
  const before = readFields(call, reserveLayout, reserve);
  const { priceRefreshTriggerToMaxAgePct } = terms.market;
  const isDue = priceReloadIsDue(before, priceRefreshTriggerToMaxAgePct, call.time.unix);
  const reading =
    oracles === undefined || !isDue
      ? { price: undefined, twap: undefined }
      : readOracle(call, before.config.tokenInfo, oracles);
  const after = refreshed(before, terms, reading);
  writeReserve(call, reserve, after);
  if (oracles !== undefined) logPrice(call, after);
}
