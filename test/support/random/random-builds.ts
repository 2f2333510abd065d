import fc from 'fast-check';
import type { Address } from '#core/base/encoding/address.ts';
import type { Role } from '#core/base/solana/instruction.ts';
import type { Build, LookupTable } from '#core/builders/build.ts';
import { numberedAddress } from '../protocol/codecs.ts';

/** A wallet, programs, accounts, and a few possible signers: kit allows at most twelve signers. */
const WALLET = numberedAddress(0);
const PROGRAMS = [1, 2, 3].map(numberedAddress);
const SIGNERS = [4, 5, 6, 7].map(numberedAddress);
const ACCOUNTS = Array.from({ length: 24 }, (_, i) => numberedAddress(100 + i));
const TABLES = [50, 51, 52, 53].map(numberedAddress);

const metas = (addresses: readonly Address[], roles: readonly Role[]) =>
  fc.record({ address: fc.constantFrom(...addresses), role: fc.constantFrom(...roles) });

const instructions = fc.record({
  programAddress: fc.constantFrom(...PROGRAMS),
  accounts: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: metas(ACCOUNTS, [0, 1]) },
      { weight: 2, arbitrary: metas([WALLET, ...SIGNERS], [0, 1, 2, 3]) },
      { weight: 1, arbitrary: metas(PROGRAMS, [0]) },
    ),
    { maxLength: 12 },
  ),
  data: fc.uint8Array({ maxLength: 300 }),
});

/**
 * Table entries: addresses the transaction uses and others, wallet and programs too, some twice.
 */
const addresses = fc.array(
  fc.constantFrom(...ACCOUNTS, ...SIGNERS, ...PROGRAMS, WALLET, numberedAddress(999)),
  {
    maxLength: 20,
  },
);

const lookupTables: fc.Arbitrary<LookupTable[]> = fc
  .shuffledSubarray(TABLES)
  .chain((chosen) =>
    fc.tuple(...chosen.map((address) => fc.record({ address: fc.constant(address), addresses }))),
  );

/** Any list of instructions that fits into a message, and tables that may or may not shorten it. */
export const randomBuilds: fc.Arbitrary<Pick<Build, 'wallet' | 'instructions' | 'lookupTables'>> =
  fc.record({
    wallet: fc.constant(WALLET),
    instructions: fc.array(instructions, { maxLength: 8 }),
    lookupTables,
  });
