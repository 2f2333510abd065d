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
 * What changes when epochs begin between the newest slot and `time`: pools have earned on their stake, and the oracle
 * says what their tokens stand for. Nothing while an epoch lasts.
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
    const total = grown(totalLamports, epochs);
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

function grown(lamports: bigint, epochs: bigint): bigint {
  let total = lamports;
  for (let epoch = 0n; epoch < epochs; epoch++) total += (total * STAKE_YIELD_PPM_PER_EPOCH) / PPM;
  return total;
}

/** Undefined where no entry of the feed is the rate of a pool. */
function withRates(
  bank: Bank,
  feed: ClusterAccount,
  rates: ReadonlyMap<Address, bigint>,
): Uint8Array | undefined {
  const fields = oraclePrices.decode(feed);
  const mappings = bank.account(fields.oracleMappings);
  if (mappings === undefined || !oracleMappings.matches(mappings)) return undefined;
  const { priceInfoAccounts, priceTypes } = oracleMappings.decode(mappings);
  let isTold = false;
  const prices = fields.prices.map((entry, place) => {
    const pool = priceTypes[place] === SPL_STAKE_PRICE_TYPE ? priceInfoAccounts[place] : undefined;
    const value = pool && rates.get(pool);
    if (value === undefined) return entry;
    isTold = true;
    return { ...entry, price: { value, exp: STAKE_RATE_EXPONENT } };
  });
  return isTold ? oraclePrices.encode({ ...fields, prices }) : undefined;
}
