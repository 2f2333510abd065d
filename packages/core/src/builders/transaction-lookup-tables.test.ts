import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kitWire } from '../../../../test/support/builders/kit-compiler.ts';
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

const naming = (numbers: readonly number[], role: Role = WRITE): Instruction => ({
  programAddress: PROGRAM,
  accounts: numbers.map((number) => ({ address: numberedAddress(number), role })),
  data: Uint8Array.of(1),
});

const table = (number: number, numbers: readonly number[]): LookupTable => ({
  address: numberedAddress(number),
  addresses: numbers.map(numberedAddress),
});

const kept = (tables: readonly LookupTable[], ...instructions: Instruction[]) =>
  selectTransactionLookupTables(tables, instructions, WALLET);

test('a table that gives two addresses helps, one that gives one does not', () => {
  const two = table(50, [10, 11]);
  expect(kept([two], naming([10, 11, 12]))).toEqual([two]);
  expect(kept([two], naming([10, 12, 13]))).toEqual([]);
});

test('what an earlier table gives does not count for a later one', () => {
  const [first, second] = [table(50, [10, 11, 12]), table(51, [12, 11, 10, 13])];
  expect(kept([first, second], naming([10, 11, 12]))).toEqual([first]);
  expect(kept([second, first], naming([10, 11, 12]))).toEqual([second]);
});

test('a larger table behind it makes a smaller one useless', () => {
  const [small, large] = [table(50, [10, 11]), table(51, [10, 11, 12, 13])];
  expect(kept([small, large], naming([10, 11, 12, 13]))).toEqual([large]);
});

test('two tables that each give two others are both taken, in the order given', () => {
  const [first, second] = [table(51, [10, 11]), table(50, [12, 13])];
  expect(kept([first, second], naming([10, 11, 12, 13], READ))).toEqual([first, second]);
});

test('signers, the payer and programs that are called do not count', () => {
  const tables = [table(50, [0, 1, 10, 11, 12])];
  expect(kept(tables, naming([0, 10], READ), naming([11], SIGN), naming([12], SIGN_WRITE))).toEqual(
    [],
  );
  expect(kept(tables, naming([10, 11], READ), naming([11], SIGN))).toEqual([]);
});

test('an address that a table has twice counts once', () => {
  expect(kept([table(50, [10, 10])], naming([10, 11]))).toEqual([]);
});

test('no instructions, no tables: nothing', () => {
  expect(kept([table(50, [10, 11])])).toEqual([]);
  expect(kept([], naming([10, 11]))).toEqual([]);
});

test('property: no choice of the tables makes a smaller transaction, by the sizes of kit', () => {
  fc.assert(
    fc.property(randomBuilds, (build) => {
      const sizeWith = (tables: readonly LookupTable[]) =>
        kitWire({ ...build, tables }, BLOCKHASH).length;
      const chosen = selectTransactionLookupTables(build.tables, build.instructions, build.wallet);
      const sizes = subsetsOf(build.tables).map((tables) => ({ tables, size: sizeWith(tables) }));
      const smallest = Math.min(...sizes.map(({ size }) => size));
      const fewest = sizes
        .filter(({ size }) => size === smallest)
        .reduce((least, { tables }) => Math.min(least, tables.length), build.tables.length);
      expect({ size: sizeWith(chosen), tables: chosen.length }).toEqual({
        size: smallest,
        tables: fewest,
      });
      expect(build.tables.filter((given) => chosen.includes(given))).toEqual(chosen);
    }),
    { numRuns: 60 },
  );
}, 60_000);

function subsetsOf<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
}
