import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { Instruction, Role } from '#core/base/solana/instruction.ts';
import type { Build, LookupTable } from '#core/builders/build.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { selectTransactionLookupTables } from '#core/builders/transaction-lookup-tables.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { kitInstructions, kitWire } from '../support/builders/kit-compiler.ts';
import { goldenCluster, goldenFlows } from '../support/golden/golden.ts';
import { pinned, testPinned } from '../support/golden/pinned-figures.ts';
import { assertProperty } from '../support/properties/assert-property.ts';
import { numberedAddress } from '../support/protocol/codecs.ts';
import { randomBuilds } from '../support/random/random-builds.ts';

type Compilable = Pick<Build, 'wallet' | 'instructions' | 'lookupTables'>;

const BLOCKHASH = numberedAddress(77);

const flows = goldenFlows();
const { accounts: clusterAccounts } = goldenCluster();

function tableAt(address: Address): LookupTable {
  const account = clusterAccounts.get(address);
  if (account === undefined) throw new Error(`no table ${address}`);
  return { address, addresses: addressLookupTable.decode(account).addresses };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The message without its signatures. */
const messageOf = (wire: Uint8Array): Uint8Array => wire.slice(1 + 64 * (wire[0] ?? 0));

describe('golden transactions', () => {
  const wires = flows.flatMap((flow) =>
    flow.transactions.map(({ wire, luts }) => ({
      name: flow.name,
      flow,
      wire: Uint8Array.from(Buffer.from(wire, 'base64')),
      tables: luts.map(toAddress).map(tableAt),
    })),
  );

  testPinned('there are 49, five of them with a lookup table', () => {
    expect(wires).toHaveLength(pinned.flows.all);
    expect(wires.filter(({ tables }) => tables.length > 0)).toHaveLength(
      pinned.flows.withLookupTable,
    );
  });

  test.each(wires)('$name compiles to the same bytes', ({ flow, wire, tables }) => {
    const { staticKeys, recentBlockhash } = decodeWireTransaction(wire).message;
    const wallet = staticKeys[0] ?? toAddress('');
    const build = { wallet, instructions: flow.instructions, lookupTables: tables };
    const compiled = compileTransaction(build, recentBlockhash);
    expect(compiled.bytes).toBe(wire.length);
    expect(hex(messageOf(compiled.wire))).toBe(hex(messageOf(wire)));
    expect(hex(compiled.wire)).toBe(hex(kitWire(build, recentBlockhash)));
    expect(kitInstructions(compiled.wire, tables)).toEqual(withMergedRoles(build));
  });
});

describe('random instructions', () => {
  test('property: compile to the same bytes as with kit', () => {
    assertProperty(
      fc.property(randomBuilds, (build) => {
        const { wire } = compileTransaction(build, BLOCKHASH);
        expect(hex(wire)).toBe(hex(kitWire(build, BLOCKHASH)));
      }),
      200,
    );
  });

  test('property: kit decodes the compiled instructions', () => {
    assertProperty(
      fc.property(randomBuilds, (build) => {
        const { wire } = compileTransaction(build, BLOCKHASH);
        expect(kitInstructions(wire, build.lookupTables)).toEqual(withMergedRoles(build));
      }),
      200,
    );
  });

  test('property: compile to the same bytes as kit with lookup tables', () => {
    assertProperty(
      fc.property(randomBuilds, (build) => {
        const lookupTables = selectTransactionLookupTables(
          build.lookupTables,
          build.instructions,
          build.wallet,
        );
        const { wire, message } = compileTransaction({ ...build, lookupTables }, BLOCKHASH);
        expect(hex(wire)).toBe(hex(kitWire({ ...build, lookupTables }, BLOCKHASH)));
        expect(message.lookups).toHaveLength(lookupTables.length);
      }),
      200,
    );
  });
});

/** A message has one role per account: the highest role of all instructions and of the payer. */
function withMergedRoles({ wallet, instructions }: Compilable): Instruction[] {
  const metas = instructions.flatMap(({ accounts }) => accounts);
  const roleOf = (address: Address): Role => {
    const roles = metas.filter((meta) => meta.address === address).map(({ role }) => role);
    const has = (bit: number) => address === wallet || roles.some((role) => (role & bit) !== 0);
    if (has(2)) return has(1) ? 3 : 2;
    return has(1) ? 1 : 0;
  };
  return instructions.map((instruction) => ({
    ...instruction,
    accounts: instruction.accounts.map(({ address }) => ({ address, role: roleOf(address) })),
  }));
}
