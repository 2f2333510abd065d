import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { oracleMappings, oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { decodeStakePool } from '@tidegate/core/protocol/spl';
import {
  SPL_STAKE_PRICE_TYPE,
  STAKE_POOL_PROGRAM,
  STAKE_RATE_EXPONENT,
  STAKE_YIELD_PPM_PER_EPOCH,
  withTotalLamports,
} from '../genesis/accounts/stake-pools.ts';
import type { Bank } from '../runtime/bank.ts';
import { SLOTS_PER_EPOCH } from '../runtime/slot-time.ts';

const PPM = 1_000_000n;

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
  for (const { address, account } of view.accountsOf(STAKE_POOL_PROGRAM)) {
    const { totalLamports, poolTokenSupply } = decodeStakePool(account);
    if (poolTokenSupply === 0n) continue;
    const total = withYield(totalLamports, epochs);
    changes.set(address, { ...account, data: withTotalLamports(account.data, total) });
    rates.set(address, (total * 10n ** STAKE_RATE_EXPONENT) / poolTokenSupply);
  }
  for (const program of SCOPE_PROGRAMS) {
    for (const { address } of view.accountsOf(program)) {
      const account = bank.account(address);
      if (account === undefined || !oraclePrices.matches(account)) continue;
      const data = withRates(bank, account, rates);
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

/** Undefined if no entry of the feed is a stake rate. */
function withRates(
  bank: Bank,
  feed: ClusterAccount,
  rates: ReadonlyMap<Address, bigint>,
): Uint8Array | undefined {
  const fields = oraclePrices.decode(feed);
  const mappings = bank.account(fields.oracleMappings);
  if (mappings === undefined || !oracleMappings.matches(mappings)) return undefined;
  const { priceInfoAccounts, priceTypes } = oracleMappings.decode(mappings);
  let hasRates = false;
  const prices = fields.prices.map((entry, index) => {
    const pool = priceTypes[index] === SPL_STAKE_PRICE_TYPE ? priceInfoAccounts[index] : undefined;
    const value = pool && rates.get(pool);
    if (value === undefined) return entry;
    hasRates = true;
    return { ...entry, price: { value, exp: STAKE_RATE_EXPONENT } };
  });
  return hasRates ? oraclePrices.encode({ ...fields, prices }) : undefined;
}
