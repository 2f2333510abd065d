import {
  type Address,
  addressToBytes,
  toAddress,
  ZERO_ADDRESS,
} from '#core/base/encoding/address.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  editAccount,
  enlargeAccount,
  findAccount,
  lowAddress,
  withAccounts,
  withoutAccounts,
} from './edit-account.ts';
import {
  EMPTY_ALLOCATION_RESERVE,
  LENDING_LOOKUP_TABLE,
  MAIN_MARKET,
  MAIN_SOL_RESERVE,
  MAIN_USDC_RESERVE,
  PRICE_FEED,
  RECORDED_PRICE_FEED,
  RECORDED_TOKEN_ACCOUNT,
  UNKNOWN_RESERVE_LOAN,
  UNRECORDED_RESERVE,
  USDC_DEPOSIT_LOAN,
  USDC_VAULT,
  USDC_VAULT_SHARES_MINT,
  VAULT_MARKET,
  VAULT_RESERVE,
} from './recorded-addresses.ts';
import { recordedAccounts } from './recorded-set.ts';
import { RECORDED_AT } from './recorded-time.ts';

/** Entries of the price account that the newest recorded reserves use. */
const USDC_PRICE_INDEX = 13;
const SOL_PRICE_INDEX = 3;

/** `value / 10^exp` USD per token. */
type FeedPrice = { readonly value: bigint; readonly exp: bigint };
type FeedPrices = Readonly<Record<number, FeedPrice>>;

/** The prices of the complete cluster, 0.9998 and 78 USD. */
const FRESH_PRICES: FeedPrices = {
  [USDC_PRICE_INDEX]: { value: 99_980_000n, exp: 8n },
  [SOL_PRICE_INDEX]: { value: 7_800_000_000n, exp: 8n },
};

/** Accounts of 2024 and of markets that are not recorded. */
const INCOMPLETE: readonly string[] = [
  UNKNOWN_RESERVE_LOAN,
  'H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6',
  '6gTJfuPHEg6uRAijRkMqNc9kan4sVZejKMxmvx2grT1p',
  'EVbyPKrHG6WBfm4dLxLMJpUDY43cCAcHSpV3KYjKsktW',
  '7gHxajRCcU5sb9rQrpYDvkugSqgGsi9EG947pW7xJueT',
  'BnYNV7TdhwASUab7mQCRhzHvasjp8o8xmmvVtKnPe3Zi',
  '8PYYKF4ZvteefFBmtb9SMHmhZKnDWQH86z59mPZBfhHu',
];

/**
 * The recorded accounts that fit together: the main market with USDC and SOL and two loans, and the
 * vault with its reserve. What is missing is added: the price account with fresh prices, the vault's
 * market, which copies the main market, and a lookup table of the main market.
 */
export function completeCluster(): KeyedAccount[] {
  const accounts = recordedAccounts().filter(({ address }) => !INCOMPLETE.includes(address));
  return withAccounts(
    accounts,
    priceFeed(PRICE_FEED, FRESH_PRICES),
    { address: VAULT_MARKET, account: findAccount(accounts, MAIN_MARKET) },
    vaultWithAllocations([VAULT_RESERVE]),
    completeLookupTable(accounts),
  );
}

/** Metadata before the addresses of a lookup table. */
const TABLE_HEADER_BYTES = 56;

/** The recorded lookup table with the addresses of the main market, which it does not have. */
function completeLookupTable(accounts: readonly KeyedAccount[]): KeyedAccount {
  const account = findAccount(accounts, LENDING_LOOKUP_TABLE);
  const added = [MAIN_MARKET, MAIN_USDC_RESERVE, MAIN_SOL_RESERVE, PRICE_FEED];
  const header = account.data.subarray(0, TABLE_HEADER_BYTES);
  const data = Uint8Array.from(Buffer.concat([header, ...added.map(addressToBytes)]));
  return { address: LENDING_LOOKUP_TABLE, account: { ...account, data } };
}

/** The built-in registry names this table for the main market. It is not recorded. */
export const MAIN_LOOKUP_TABLE = toAddress('FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb');

/** Copies of the main market and its lookup table at other addresses. */
export const marketCopies = (
  listed: readonly { readonly address: Address; readonly lookupTable: Address }[],
): KeyedAccount[] => {
  const accounts = completeCluster();
  const market = findAccount(accounts, MAIN_MARKET);
  const table = findAccount(accounts, LENDING_LOOKUP_TABLE);
  return listed.flatMap(({ address, lookupTable }) => [
    { address, account: market },
    { address: lookupTable, account: table },
  ]);
};

const STAKE_POOL_PROGRAM = toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy');

/** A stake pool whose token gained 0.04 % in the epoch before the recorded time. */
export function stakePool(address: Address, mint: Address): KeyedAccount {
  const data = new Uint8Array(611);
  const view = new DataView(data.buffer);
  data[0] = 1;
  data.set(addressToBytes(mint), 162);
  view.setBigUint64(258, 10_004_000n, true);
  view.setBigUint64(266, 10_000_000n, true);
  view.setBigUint64(274, RECORDED_AT.slot / 432_000n, true);
  // tokens and lamports of the epoch before, after optional fields that are absent
  view.setBigUint64(419, 10_000_000n, true);
  view.setBigUint64(427, 10_000_000n, true);
  return { address, account: { owner: STAKE_POOL_PROGRAM, lamports: 1_000_000_000n, data } };
}

/** A price account with these entries, all of one time. */
function priceFeed(
  address: Address,
  prices: FeedPrices,
  unix: bigint = RECORDED_AT.unix,
): KeyedAccount {
  const recorded = findAccount(recordedAccounts(), RECORDED_PRICE_FEED);
  const account = editAccount(oraclePrices, recorded, (value) => ({
    ...value,
    prices: value.prices.map((entry, index) => {
      const price = prices[index];
      return price === undefined ? entry : { ...entry, price, unixTimestamp: toUnixSeconds(unix) };
    }),
  }));
  return { address, account };
}

/** The recorded vault, with allocations to these reserves only. */
function vaultWithAllocations(reserves: readonly Address[]): KeyedAccount {
  const unused = { reserve: ZERO_ADDRESS, targetAllocationWeight: 0n, ctokenAllocation: 0n };
  const recorded = findAccount(recordedAccounts(), USDC_VAULT);
  const account = editAccount(vaultState, recorded, (vault) => ({
    ...vault,
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((allocation) =>
      reserves.includes(allocation.reserve) ? allocation : { ...allocation, ...unused },
    ),
  }));
  return { address: USDC_VAULT, account };
}

type MarketCopy = {
  readonly market: Address;
  readonly reserve: Address;
  readonly feed: Address;
};

/** A market with one USDC reserve, copied from the main market, with its own price account. */
function copyUsdcMarket({ market, reserve: address, feed }: MarketCopy): KeyedAccount[] {
  const accounts = recordedAccounts();
  const copied = editReserve(findAccount(accounts, MAIN_USDC_RESERVE), (value) => ({
    ...value,
    lendingMarket: market,
    config: {
      ...value.config,
      tokenInfo: {
        ...value.config.tokenInfo,
        scopeConfiguration: { ...value.config.tokenInfo.scopeConfiguration, priceFeed: feed },
      },
    },
    // as if the reserve had never been refreshed, so that only the price account counts
    liquidity: { ...value.liquidity, marketPriceLastUpdatedTs: toUnixSeconds(0n) },
  }));
  return [
    { address: market, account: findAccount(accounts, MAIN_MARKET) },
    { address, account: copied },
  ];
}

export const HOSTILE: MarketCopy = {
  market: lowAddress(1),
  reserve: lowAddress(2),
  feed: lowAddress(3),
};

/** Anyone's market, with an oracle of its own that has the freshest price: 3 USD per USDC. */
export const hostileMarket = (): KeyedAccount[] => [
  ...copyUsdcMarket(HOSTILE),
  priceFeed(HOSTILE.feed, { [USDC_PRICE_INDEX]: { value: 3n, exp: 0n } }, RECORDED_AT.unix + 60n),
];

export const STALE: MarketCopy = {
  market: lowAddress(4),
  reserve: lowAddress(5),
  feed: lowAddress(6),
};

/** A market whose price, 1.05 USD per USDC, is 47 minutes old. */
export const staleMarket = (): KeyedAccount[] => [
  ...copyUsdcMarket(STALE),
  priceFeed(
    STALE.feed,
    { [USDC_PRICE_INDEX]: { value: 105n, exp: 2n } },
    RECORDED_AT.unix - 47n * 60n,
  ),
];

/** The SOL price has 40 decimals, which overflows in the lending program. */
export const unpriceableSol = (): KeyedAccount =>
  priceFeed(PRICE_FEED, { ...FRESH_PRICES, [SOL_PRICE_INDEX]: { value: 1n, exp: 40n } });

/** The SOL reserve was recorded 16 days before the others. This one was refreshed at their time. */
export const refreshedSolReserve = (): KeyedAccount => ({
  address: MAIN_SOL_RESERVE,
  account: editReserve(findAccount(recordedAccounts(), MAIN_SOL_RESERVE), (value) => ({
    ...value,
    lastUpdate: { ...value.lastUpdate, slot: toSlot(RECORDED_AT.slot) },
  })),
});

export const enlarged = ({ address, account }: KeyedAccount): KeyedAccount => ({
  address,
  account: enlargeAccount(account, 64),
});

export const withUnknownVersion = ({ address, account }: KeyedAccount): KeyedAccount => ({
  address,
  account: editReserve(account, (value) => ({ ...value, version: 2n })),
});

/** The vault lends some of its tokens to a reserve that does not exist. */
export const vaultWithUnknownReserve = (): KeyedAccount =>
  vaultWithAllocations([VAULT_RESERVE, UNRECORDED_RESERVE]);

/** The vault has an empty allocation, without tokens and weight, to a reserve that does not exist. */
export const vaultWithEmptyAllocation = (): KeyedAccount =>
  vaultWithAllocations([VAULT_RESERVE, EMPTY_ALLOCATION_RESERVE]);

/** The market of the vault's reserve does not exist. */
export const withoutVaultMarket = (): KeyedAccount[] =>
  withoutAccounts(completeCluster(), VAULT_MARKET);

export const SHAREHOLDER = lowAddress(9);

/** A token account with 1,000 shares of the vault. */
export function vaultShares(): KeyedAccount {
  const recorded = findAccount(recordedAccounts(), RECORDED_TOKEN_ACCOUNT);
  const data = recorded.data.slice();
  data.set(addressToBytes(USDC_VAULT_SHARES_MINT), 0);
  data.set(addressToBytes(SHAREHOLDER), 32);
  new DataView(data.buffer).setBigUint64(64, 1_000_000_000n, true);
  const address = associatedTokenAddress(SHAREHOLDER, USDC_VAULT_SHARES_MINT, TOKEN_PROGRAM);
  return { address, account: { ...recorded, data } };
}

/** The recorded loan owes a token of a reserve that does not exist. */
export const loanWithUnknownReserve = (): KeyedAccount => ({
  address: UNKNOWN_RESERVE_LOAN,
  account: findAccount(recordedAccounts(), UNKNOWN_RESERVE_LOAN),
});

export const UNKNOWN_MARKET = lowAddress(7);
export const UNKNOWN_MARKET_LOAN = lowAddress(8);

export const loanWithUnknownMarket = (): KeyedAccount => ({
  address: UNKNOWN_MARKET_LOAN,
  account: editAccount(obligation, findAccount(recordedAccounts(), USDC_DEPOSIT_LOAN), (value) => ({
    ...value,
    lendingMarket: UNKNOWN_MARKET,
  })),
});

/** Without the price account, reserves have stored prices: USDC of now, SOL of 16 days ago. */
export const withStoredPricesOnly = (): KeyedAccount[] =>
  withoutAccounts(completeCluster(), PRICE_FEED);

const editReserve = (
  account: KeyedAccount['account'],
  change: (value: Reserve) => Reserve,
): KeyedAccount['account'] => editAccount(reserve, account, change);
