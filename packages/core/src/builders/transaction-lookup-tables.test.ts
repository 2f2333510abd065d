import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kitWire } from '../../../../test/support/builders/kit-compiler.ts';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { randomBuilds } from '../../../../test/support/random/random-builds.ts';
import {
  type Instruction,
  READ,
  type Role,
  SIGN,
  SIGN_WRITE,
  WRITE,
} from '../base/solana/instruction.ts';
import type { LookupTable } from './build.ts';
import { selectTransactionLookupTables } from './transaction-lookup-tables.ts';

const WALLET = numberedAddress(0);
const PROGRAM = numberedAddress(1);
const BLOCKHASH = numberedAddress(2);

const callWith = (numbers: readonly number[], role: Role = WRITE): Instruction => ({
  programAddress: PROGRAM,
  accounts: numbers.map((number) => ({ address: numberedAddress(number), role })),
  data: Uint8Array.of(1),
});

const table = (number: number, numbers: readonly number[]): LookupTable => ({
  address: numberedAddress(number),
  addresses: numbers.map(numberedAddress),
});

const selected = (tables: readonly LookupTable[], ...instructions: Instruction[]) =>
  selectTransactionLookupTables(tables, instructions, WALLET);

test('a table that supplies two addresses is used; one that supplies one is not', () => {
  const two = table(50, [10, 11]);
  expect(selected([two], callWith([10, 11, 12]))).toEqual([two]);
  expect(selected([two], callWith([10, 12, 13]))).toEqual([]);
});

test('addresses from an earlier table do not count for a later one', () => {
  const [first, second] = [table(50, [10, 11, 12]), table(51, [12, 11, 10, 13])];
  expect(selected([first, second], callWith([10, 11, 12]))).toEqual([first]);
  expect(selected([second, first], callWith([10, 11, 12]))).toEqual([second]);
});

test('a larger later table replaces a smaller one', () => {
  const [small, large] = [table(50, [10, 11]), table(51, [10, 11, 12, 13])];
  expect(selected([small, large], callWith([10, 11, 12, 13]))).toEqual([large]);
});

test('two tables that supply two different addresses each are both used, in order', () => {
  const [first, second] = [table(51, [10, 11]), table(50, [12, 13])];
  expect(selected([first, second], callWith([10, 11, 12, 13], READ))).toEqual([first, second]);
});

test('signers, the payer and called programs do not count', () => {
  const tables = [table(50, [0, 1, 10, 11, 12])];
  expect(
    selected(tables, callWith([0, 10], READ), callWith([11], SIGN), callWith([12], SIGN_WRITE)),
  ).toEqual([]);
  expect(selected(tables, callWith([10, 11], READ), callWith([11], SIGN))).toEqual([]);
});

test('an address that a table lists twice counts once', () => {
  expect(selected([table(50, [10, 10])], callWith([10, 11]))).toEqual([]);
});

test('without instructions or tables nothing is selected', () => {
  expect(selected([table(50, [10, 11])])).toEqual([]);
  expect(selected([], callWith([10, 11]))).toEqual([]);
});

test('property: no other selection gives a smaller transaction, measured by kit', () => {
  assertProperty(
    fc.property(randomBuilds, (build) => {
      const sizeWith = (lookupTables: readonly LookupTable[]) =>
        kitWire({ ...build, lookupTables }, BLOCKHASH).length;
      const chosen = selectTransactionLookupTables(
        build.lookupTables,
        build.instructions,
        build.wallet,
      );
      const sizes = subsetsOf(build.lookupTables).map((tables) => ({
        tables,
        size: sizeWith(tables),
      }));
      const smallest = Math.min(...sizes.map(({ size }) => size));
      const fewest = sizes
        .filter(({ size }) => size === smallest)
        .reduce((least, { tables }) => Math.min(least, tables.length), build.lookupTables.length);
      expect({ size: sizeWith(chosen), tables: chosen.length }).toEqual({
        size: smallest,
        tables: fewest,
      });
      expect(build.lookupTables.filter((given) => chosen.includes(given))).toEqual(chosen);
    }),
    60,
  );
});

function subsetsOf<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
}
