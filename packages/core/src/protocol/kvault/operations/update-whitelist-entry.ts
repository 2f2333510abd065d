import type { Address } from '../../../base/encoding/address.ts';
import { kvaultRejection } from '../errors.ts';
import type { reserveWhitelistModes } from '../instructions/add-update-whitelisted-reserve.ts';
import type { ReserveWhitelistEntry } from '../layout/reserve-whitelist-entry.ts';

export type WhitelistUpdate = {
  readonly reserve: Address;
  readonly tokenMint: Address;
  readonly mode: (typeof reserveWhitelistModes)[number];
  readonly value: number;
};

/** The `addUpdateWhitelistedReserve` instruction. The other permission stays. */
export function updateWhitelistEntry(
  entry: ReserveWhitelistEntry,
  { reserve, tokenMint, mode, value }: WhitelistUpdate,
): ReserveWhitelistEntry {
  if (value > 1) {
    throw kvaultRejection('InvalidBoolLikeValue', `the value is ${value}, not 0 or 1`);
  }
  const named = { ...entry, reserve, tokenMint };
  return mode === 'Invest'
    ? { ...named, whitelistInvest: value }
    : { ...named, whitelistAddAllocation: value };
}
