import { type Address, addressToBytes } from '../../base/encoding/address.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import { findProgramAddress, u64Seed } from '../../base/solana/pda.ts';
import { SCOPE_PROGRAM } from './program.ts';

/** The configuration lists the price, mapping and twap accounts of a feed, which are not PDAs. */
export function configurationAddress(feedName: string, program = SCOPE_PROGRAM): Address {
  return findProgramAddress([bytesFromText('conf'), bytesFromText(feedName)], program).address;
}

type MintMap = {
  readonly oraclePrices: Address;
  readonly seedPk: Address;
  readonly seedId: bigint;
};

export function mintsToScopeChainsAddress(of: MintMap, program = SCOPE_PROGRAM): Address {
  const seeds = [
    bytesFromText('mints_to_scope_chains'),
    addressToBytes(of.oraclePrices),
    addressToBytes(of.seedPk),
    u64Seed(of.seedId),
  ];
  return findProgramAddress(seeds, program).address;
}
