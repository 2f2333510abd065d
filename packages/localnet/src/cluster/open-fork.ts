import type { Slot } from '@tidegate/core/base';
import { ForkedAccounts } from '../fork/forked-accounts.ts';
import type { LocalnetOptions } from './localnet-options.ts';
import { keepPriceAges } from './price-age.ts';

/** Accounts of another cluster for a local one. `advanceTo`: the clock must not be behind the slot. */
export function openFork(
  { cluster, log }: LocalnetOptions,
  { reader, time }: NonNullable<LocalnetOptions['origin']>,
  advanceTo: (slot: Slot) => void,
): ForkedAccounts {
  const { bank, transactions } = cluster;
  return new ForkedAccounts({
    bank,
    reader,
    time,
    log,
    hasProgram: (address) => transactions.hasProgram(address),
    onRead: advanceTo,
    convert: (account, slot) => keepPriceAges(account, bank.timeOf(slot), bank.timeOf(bank.slot)),
  });
}
