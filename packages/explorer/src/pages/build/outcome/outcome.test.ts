import type { TransactionOutcome } from '@tidegate/client';
import { expect, test } from 'vitest';
import { remainingUntil, toOutcome } from './outcome.ts';

const absent: TransactionOutcome = {
  signature: 'a',
  status: 'pending',
  meaning: 'What it means.',
  confirmation: null,
  isFinal: false,
  slot: null,
  blockTime: null,
  blockHeight: '100',
  lastValidBlockHeight: '250',
  feePayer: null,
  feeLamports: null,
  computeUnits: null,
  failure: null,
  tokenChanges: null,
  solChanges: null,
  missing: null,
};

const outcomeOf = (changes: Partial<TransactionOutcome>, problem?: string) =>
  toOutcome({ data: { ...absent, ...changes }, problem, remainingMs: 7 });

test('without an answer it is pending, and says why there is none', () => {
  const none = { data: undefined, remainingMs: undefined };
  expect(toOutcome({ ...none, problem: 'The server does not answer.' })).toEqual({
    kind: 'pending',
    isSeen: false,
    remainingMs: undefined,
    problem: 'The server does not answer.',
  });
});

test('a block that is not confirmed has been seen', () => {
  expect(outcomeOf({})).toMatchObject({ kind: 'pending', isSeen: false, remainingMs: 7 });
  expect(outcomeOf({ confirmation: 'processed' })).toMatchObject({ kind: 'pending', isSeen: true });
});

test('it is landed or failed from the confirmed block on, and final later', () => {
  const confirmed = { confirmation: 'confirmed' } as const;
  expect(outcomeOf({ ...confirmed, status: 'landed' })).toMatchObject({
    kind: 'landed',
    isFinal: false,
  });
  expect(outcomeOf({ status: 'failed', isFinal: true })).toMatchObject({
    kind: 'failed',
    isFinal: true,
  });
});

test('expired and unknown are not the same', () => {
  expect(outcomeOf({ status: 'expired', isFinal: true })).toEqual({ kind: 'expired' });
  expect(outcomeOf({ status: 'unknown' })).toEqual({ kind: 'unknown', meaning: 'What it means.' });
});

test('the remaining time follows the speed of the cluster', () => {
  const first = { at: 0, blockHeight: 100n };
  // 10 of 151 blocks in 4 s: 141 are left
  expect(remainingUntil(250n, first, { at: 4_000, blockHeight: 110n })).toBeCloseTo(56_400, 6);
  expect(remainingUntil(250n, first, first)).toBeUndefined();
  expect(remainingUntil(250n, first, { at: 90_000, blockHeight: 251n })).toBeUndefined();
  expect(remainingUntil(99n, first, { at: 4_000, blockHeight: 110n })).toBeUndefined();
});
