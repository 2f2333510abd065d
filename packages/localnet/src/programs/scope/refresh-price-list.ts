import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { oracleTypeName, scopeRejection } from '@tidegate/core/protocol/scope';
import { refreshPriceList } from '@tidegate/core/protocol/scope/instructions';
import { oracleMappings, oraclePrices, oracleTwaps } from '@tidegate/core/protocol/scope/layout';
import { type ComputedPrice, ctokenPrice, mappingEntry } from '@tidegate/core/protocol/scope/math';
import {
  refreshEntry,
  refreshEntryWith,
  type ScopeFeed,
} from '@tidegate/core/protocol/scope/operations';
import { COMPUTE_BUDGET_PROGRAM, INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import { hasCode } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { callExchangeRate } from './ctoken-exchange-rate.ts';

const UNITS = 15_000;

/**
 * Refreshes entries that the feed itself determines, and exchange rates of the lending program. Sources of other programs
 * do not exist on this cluster, so their entries fail as with an empty account: a single entry fails the instruction,
 * several are skipped.
 */
export const refreshPriceListHandler: InstructionHandler = anchorHandler(
  refreshPriceList,
  UNITS,
  ({ accounts, list, remaining }, call) => {
    checkAccounts(call, accounts);
    checkPosition(call);
    if (list.length === 0) throw scopeRejection('EmptyTokenList', 'no entry is given');
    if (list.length > remaining.length) {
      const reason = `${remaining.length} accounts are given for ${list.length} entries`;
      throw scopeRejection('AccountsAndTokenMismatch', reason);
    }
    // each entry takes its own account, and further ones as its type needs them
    const given = remaining.values();
    for (const token of list) {
      const account = given.next().value;
      const entry = { token, account, given, isOnly: list.length === 1 };
      if (hasSource(call, readFeed(call, accounts), entry)) refreshToken(call, accounts, entry);
    }
  },
);

type Accounts = ReturnType<typeof refreshPriceList.decode>['accounts'];

const readFeed = (call: InvokeContext, accounts: Accounts): ScopeFeed => ({
  prices: readAccount(call, oraclePrices, accounts.oraclePrices),
  mappings: readAccount(call, oracleMappings, accounts.oracleMappings),
  twaps: readAccount(call, oracleTwaps, accounts.oracleTwaps),
});

function checkAccounts(call: InvokeContext, accounts: Accounts): void {
  const { prices, twaps } = readFeed(call, accounts);
  if (prices.oracleMappings !== accounts.oracleMappings) {
    throw anchorFailure(call, 'ConstraintHasOne', 'oraclePrices');
  }
  const isOfFeed =
    twaps.oraclePrices === accounts.oraclePrices &&
    twaps.oracleMappings === accounts.oracleMappings;
  if (!isOfFeed) throw anchorFailure(call, 'ConstraintHasOne', 'oracleTwaps');
  if (accounts.instructionSysvarAccountInfo !== INSTRUCTIONS_SYSVAR) {
    throw anchorFailure(call, 'ConstraintAddress', 'instructionSysvarAccountInfo');
  }
}

/** Must be a top-level instruction with only compute budget instructions before it. */
function checkPosition(call: InvokeContext): void {
  if (call.stackHeight > 1) throw scopeRejection('RefreshInCPI', 'a program calls it');
  const before = call.instructions.slice(0, call.index);
  const other = before.find(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM);
  if (other === undefined) return;
  const reason = `the program ${other.programAddress} comes before it`;
  throw scopeRejection('RefreshWithUnexpectedIxs', reason);
}

type Entry = {
  readonly token: number;
  readonly account: Address | undefined;
  /** The accounts that no entry has taken yet. */
  readonly given: Iterator<Address, undefined>;
  readonly isOnly: boolean;
};

/** False for an unused entry. */
function hasSource(call: InvokeContext, { mappings }: ScopeFeed, entry: Entry): boolean {
  const { token, account } = entry;
  const source = mappings.priceInfoAccounts[token];
  if (source === undefined) throw scopeRejection('BadTokenNb', `there is no entry ${token}`);
  if (source === ZERO_ADDRESS) {
    call.log(`Skipping token ${token} as no mapping is set`);
    return false;
  }
  if (source === account) return true;
  const reason = `Invalid price account: ${account}, expected: ${source}`;
  throw scopeRejection('UnexpectedAccount', reason);
}

function refreshToken(call: InvokeContext, accounts: Accounts, entry: Entry): void {
  const { token, isOnly } = entry;
  const feed = readFeed(call, accounts);
  const refreshed = refreshOrSkip(call, feed, entry);
  if (refreshed === undefined) return;
  if (refreshed === 'frozen') {
    call.log(`tk ${token} is frozen, the fetched price is not stored`);
    return;
  }
  const { price, twap, rejection } = refreshed;
  if (rejection !== undefined && isOnly) throw rejection;
  if (twap !== undefined && twap !== feed.twaps.twaps[token]) {
    const fields = { ...feed.twaps, twaps: feed.twaps.twaps.with(token, twap) };
    writeAccount(call, oracleTwaps, { address: accounts.oracleTwaps, fields });
  }
  if (rejection !== undefined) {
    call.log(`Price skipped as ref price check failed (token ${token})`);
    return;
  }
  const before = feed.prices.prices[token];
  call.log(
    `tk ${token}: ${before?.price.value} to ${price.price.value} | prev_slot: ${before?.lastUpdatedSlot}, new_slot: ${price.lastUpdatedSlot}, crt_slot: ${call.time.slot}`,
  );
  const fields = { ...feed.prices, prices: feed.prices.prices.with(token, price) };
  writeAccount(call, oraclePrices, { address: accounts.oraclePrices, fields });
}

/** Undefined for an entry without a valid price, unless it is the only one. */
function refreshOrSkip(
  call: InvokeContext,
  feed: ScopeFeed,
  entry: Entry,
): ReturnType<typeof refreshEntry> {
  const { token, account, isOnly } = entry;
  try {
    const price = readCTokenPrice(call, feed, entry);
    const refreshed =
      price === undefined
        ? refreshEntry(feed, token, call.time)
        : refreshEntryWith(feed, token, price);
    if (refreshed !== undefined) return refreshed;
    const reason = `the source ${account} of entry ${token} is not on this cluster`;
    throw scopeRejection('UnableToDeserializeAccount', reason);
  } catch (error) {
    if (isOnly || !hasCode(error, 'PROGRAM_REFUSES')) throw error;
    call.log(`Price skipped as validation failed (token ${token})`);
    return undefined;
  }
}

/** Undefined for an entry of another type. */
function readCTokenPrice(
  call: InvokeContext,
  { mappings }: ScopeFeed,
  { token, account, given }: Entry,
): ComputedPrice | undefined {
  const { oracleType } = mappingEntry(mappings, token);
  if (account === undefined || oracleTypeName(oracleType) !== 'KlendCTokenExchangeRate') {
    return undefined;
  }
  const price = ctokenPrice(callExchangeRate(call, account, given));
  return { price, lastUpdatedSlot: call.time.slot, unixTimestamp: call.time.unix };
}
