import type { Slot } from '@tidegate/core/base';
import { associatedTokenAddress } from '@tidegate/core/protocol/spl';
import { ForkedAccounts } from '../fork/forked-accounts.ts';
import type { TokenAirdrop } from '../rpc/airdrop-token.ts';
import type { Bank } from '../runtime/bank.ts';
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

/** Reads the accounts that an airdrop needs. */
export async function loadTokenAccount(
  fork: ForkedAccounts,
  bank: Bank,
  { wallet, mint }: TokenAirdrop,
): Promise<void> {
  await fork.load([mint]);
  const program = bank.account(mint)?.owner;
  if (program) await fork.load([associatedTokenAddress(wallet, mint, program)]);
}
