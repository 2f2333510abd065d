import { expect, test } from 'vitest';
import { transactionFee } from './transaction-fee.ts';

const plain = { signatures: 1, instructions: 3, unitLimit: undefined, unitPrice: undefined };

test('without a price only signatures are charged', () => {
  expect(transactionFee(plain)).toEqual({ base: 5000n, priority: 0n });
  expect(transactionFee({ ...plain, signatures: 3 })).toEqual({ base: 15_000n, priority: 0n });
});

test('the priority fee is the price times the unit limit, rounded up', () => {
  const priority = (unitLimit: bigint, unitPrice: bigint) =>
    transactionFee({ ...plain, unitLimit, unitPrice }).priority;
  expect(priority(300_000n, 10_000n)).toBe(3000n);
  expect(priority(1n, 1n)).toBe(1n);
  expect(priority(1_000_001n, 1n)).toBe(2n);
  expect(priority(300_000n, 0n)).toBe(0n);
});

test('the default limit is 200,000 units per instruction, at most 1,400,000', () => {
  const unitPrice = 1_000_000n;
  expect(transactionFee({ ...plain, unitPrice }).priority).toBe(600_000n);
  expect(transactionFee({ ...plain, unitPrice, instructions: 9 }).priority).toBe(1_400_000n);
});
