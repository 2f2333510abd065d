import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kitInstructions, kitWire } from '../../../../../test/support/builders/kit-compiler.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { randomBuilds } from '../../../../../test/support/random/random-builds.ts';
import { parseTransaction } from './parse-transaction.ts';
import { resolveAccounts } from './resolve-accounts.ts';

const BLOCKHASH = numberedAddress(77);
const MAX_BYTES = 1232;

test('property: reads what kit writes, with the addresses of the tables', () => {
  assertProperty(
    fc.property(randomBuilds, (build) => {
      const wire = kitWire(build, BLOCKHASH);
      fc.pre(wire.length <= MAX_BYTES);
      const parsed = parseTransaction(wire);
      if ('code' in parsed) throw new Error(parsed.message);
      const tables = Object.fromEntries(
        build.lookupTables.map(({ address, addresses }) => [address, addresses]),
      );
      const { accounts, reasons } = resolveAccounts(parsed, tables);
      expect(reasons).toEqual([]);
      const metaOf = (index: number) => {
        const account = accounts[index];
        const role = (account?.isSigner ? 2 : 0) + (account?.isWritable ? 1 : 0);
        return { address: account?.address, role };
      };
      const instructions = parsed.instructions.map(({ programIndex, accountIndexes, data }) => ({
        programAddress: metaOf(programIndex).address,
        accounts: accountIndexes.map(metaOf),
        data: Uint8Array.from(data),
      }));
      expect(instructions).toEqual(kitInstructions(wire, build.lookupTables));
    }),
    300,
  );
});

test('property: any bytes give a transaction or a reason', () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 1300 }), (bytes) => {
      const parsed = parseTransaction(bytes);
      if (!('code' in parsed)) resolveAccounts(parsed, {});
    }),
    100,
  );
});

test('a length that is not in its shortest form is malformed', () => {
  const wire = kitWire(
    { wallet: numberedAddress(1), instructions: [], lookupTables: [] },
    BLOCKHASH,
  );
  expect(parseTransaction(wire)).toMatchObject({ signatures: 1 });
  const longer = Uint8Array.from([0x81, 0x00, ...wire.slice(1)]);
  expect(parseTransaction(longer)).toMatchObject({ code: 'MALFORMED_TRANSACTION' });
});
