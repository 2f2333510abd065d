import type { DecodedTransaction } from '@tidegate/client';
import { expect, test } from 'vitest';
import { daysAround, loanSubjects, pointsAround, vaultSubjects } from './positions.ts';

type Instruction = DecodedTransaction['instructions'][number];

const instruction = (program: string, accounts: Readonly<Record<string, string>>): Instruction => ({
  program: { address: program, name: program, label: null },
  name: null,
  title: 'An instruction',
  arguments: null,
  accounts: Object.entries(accounts).map(([name, address]) => {
    return { name, address, role: 'WRITABLE', label: null };
  }),
  data: '',
  problem: null,
});

const decoded = (...instructions: readonly Instruction[]): DecodedTransaction => ({
  version: 0,
  feePayer: 'wallet',
  signers: [],
  recentBlockhash: '',
  size: 0,
  sizeLimit: 0,
  fee: { baseLamports: '0', priorityLamports: '0' },
  lookupTables: [],
  instructions,
  warnings: [],
});

test('a loan of several instructions is listed once', () => {
  const accounts = { obligation: 'loan', lendingMarket: 'market' };
  const transaction = decoded(
    instruction('klend', { reserve: 'reserve', lendingMarket: 'market' }),
    instruction('klend', accounts),
    instruction('klend', accounts),
    instruction('klend', { ...accounts, obligation: 'other' }),
    instruction('farms', accounts),
  );
  expect(loanSubjects(transaction)).toEqual([
    { market: 'market', obligation: 'loan' },
    { market: 'market', obligation: 'other' },
  ]);
  expect(vaultSubjects(transaction)).toEqual([]);
});

test('a vault has positions of its users', () => {
  const transaction = decoded(
    instruction('kvault', { vaultState: 'vault', user: 'wallet' }),
    instruction('kvault', { vaultState: 'vault' }),
  );
  expect(vaultSubjects(transaction)).toEqual([{ wallet: 'wallet', vault: 'vault' }]);
});

test('the points around a time, which belongs to the time after', () => {
  const points = ['2026-11-18T00:00:00Z', '2026-11-19T00:00:00Z', '2026-11-20T00:00:00Z'];
  const around = (time: string) => pointsAround(points, Date.parse(time), (point) => point);
  expect(around('2026-11-19T12:00:00Z')).toEqual({ before: points[1], after: points[2] });
  expect(around('2026-11-19T00:00:00Z')).toEqual({ before: points[0], after: points[1] });
  expect(around('2026-11-17T00:00:00Z')).toEqual({ before: undefined, after: points[0] });
  expect(around('2026-11-21T00:00:00Z')).toEqual({ before: points[2], after: undefined });
});

test('a day before and after in UTC', () => {
  expect(daysAround(Date.parse('2026-11-19T18:30:00Z'))).toEqual({
    start: Date.parse('2026-11-19T00:00:00Z'),
    end: Date.parse('2026-11-21T00:00:00Z'),
  });
});
