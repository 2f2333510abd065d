import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import { KLEND_PROGRAMS } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { oracleMappings, oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { decodeStakePool } from '@tidegate/core/protocol/spl';
import {
  SPL_STAKE_PRICE_TYPE,
  STAKE_POOL_PROGRAM,
  STAKE_RATE_EXPONENT,
  STAKE_YIELD_PPM_PER_EPOCH,
  withEpochUpdate,
} from '../genesis/accounts/stake-pools.ts';
import type { Bank, BankView } from '../runtime/bank.ts';
import { SLOTS_PER_EPOCH } from '../runtime/slot-time.ts';

const PPM = 1_000_000n;
/** Entries of a feed. Larger indexes end a price chain. */
const ENTRY_COUNT = 512;

/**
 * Account changes of the epochs that begin between the newest slot and `time`: pools earn on their
 * stake, and the oracle updates their rates. Empty within an epoch.
 */
export function stakePoolRewards(
  bank: Bank,
  time: ChainTime,
): ReadonlyMap<Address, ClusterAccount> {
  const changes = new Map<Address, ClusterAccount>();
  const epochs = time.slot / SLOTS_PER_EPOCH - bank.slot / SLOTS_PER_EPOCH;
  if (epochs <= 0n) return changes;
  const view = bank.view(bank.slot);
  const rates = new Map<Address, bigint>();
  const growths = new Map<Address, Growth>();
  for (const { address, account } of view.accountsOf(STAKE_POOL_PROGRAM)) {
    const { totalLamports, poolTokenSupply, poolMint } = decodeStakePool(account);
    if (poolTokenSupply === 0n) continue;
    const total = withYield(totalLamports, epochs);
    const epoch = time.slot / SLOTS_PER_EPOCH;
    const previousLamports = withYield(totalLamports, epochs - 1n);
    const update = { epoch, totalLamports: total, previousLamports };
    const data = withEpochUpdate(account.data, update);
    changes.set(address, { ...account, data });
    rates.set(address, (total * 10n ** STAKE_RATE_EXPONENT) / poolTokenSupply);
    growths.set(poolMint, { from: totalLamports, to: total });
  }
  const marketRates = marketRateGrowths(view, growths);
  for (const program of SCOPE_PROGRAMS) {
    for (const { address } of view.accountsOf(program)) {
      const account = bank.account(address);
      if (account === undefined || !oraclePrices.matches(account)) continue;
      const data = withRates(bank, account, {
        rates,
        growths: marketRates.get(address) ?? new Map(),
      });
      if (data !== undefined) changes.set(address, { ...account, data });
    }
  }
  return changes;
}

function withYield(lamports: bigint, epochs: bigint): bigint {
  let total = lamports;
  for (let epoch = 0n; epoch < epochs; epoch++) total += (total * STAKE_YIELD_PPM_PER_EPOCH) / PPM;
  return total;
}

/** Lamports of a pool before and after its rewards. */
type Growth = { readonly from: bigint; readonly to: bigint };

/**
 * The first entry in the price chain of a staked token: its pool's rate, or its market price in
 * SOL. By feed and index.
 */
function marketRateGrowths(
  view: BankView,
  growths: ReadonlyMap<Address, Growth>,
): ReadonlyMap<Address, ReadonlyMap<number, Growth>> {
  const byFeed = new Map<Address, Map<number, Growth>>();
  for (const { account } of KLEND_PROGRAMS.flatMap((program) => [...view.accountsOf(program)])) {
    if (!reserveLayout.matches(account)) continue;
    const { liquidity, config } = reserveLayout.view(account);
    const growth = growths.get(liquidity.mintPubkey);
    const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
    const [index, next] = priceChain;
    if (growth === undefined || index === undefined) continue;
    // A chain of one entry has a price in USD.
    if (next === undefined || next >= ENTRY_COUNT) continue;
    byFeed.set(priceFeed, (byFeed.get(priceFeed) ?? new Map()).set(index, growth));
  }
  return byFeed;
}

type RateChanges = {
  /** New rate by pool. */
  readonly rates: ReadonlyMap<Address, bigint>;
  /** By the index of an entry. */
  readonly growths: ReadonlyMap<number, Growth>;
};

/** Market prices keep their distance to the rate of the pool. Undefined if no entry of the feed is a stake rate. */
function withRates(
  bank: Bank,
  feed: ClusterAccount,
  { rates, growths }: RateChanges,
): Uint8Array | undefined {
  const fields = oraclePrices.decode(feed);
  const mappings = bank.account(fields.oracleMappings);
  if (mappings === undefined || !oracleMappings.matches(mappings)) return undefined;
  const { priceInfoAccounts, priceTypes } = oracleMappings.decode(mappings);
  let hasRates = false;
  const prices = fields.prices.map((entry, index) => {
    const pool = priceTypes[index] === SPL_STAKE_PRICE_TYPE ? priceInfoAccounts[index] : undefined;
    const growth = growths.get(index);
    const value = pool === undefined ? growth && grown(entry.price.value, growth) : rates.get(pool);
    if (value === undefined) return entry;
    hasRates = true;
    const exp = pool === undefined ? entry.price.exp : STAKE_RATE_EXPONENT;
    return { ...entry, price: { value, exp } };
  });
  return hasRates ? oraclePrices.encode({ ...fields, prices }) : undefined;
}

const grown = (value: bigint, { from, to }: Growth): bigint => (value * to) / from;
