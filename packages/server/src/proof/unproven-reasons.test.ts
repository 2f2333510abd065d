import { expect, test } from 'vitest';
import type { CounterexampleEntry } from '../clusters/proof-report.ts';
import { unprovenReasons } from './unproven-reasons.ts';

const entry = (changes: Partial<CounterexampleEntry>): CounterexampleEntry => ({
  id: 'a',
  subjects: [{ program: 'klend', instruction: 'refreshReserve', kind: 'reserve' }],
  releases: {},
  slot: '7',
  foundAt: 0,
  difference: null,
  explanation: null,
  ...changes,
});

test('each kind that differs has a reason, since its oldest counterexample', () => {
  const reasons = unprovenReasons([entry({ id: 'b', slot: '10' }), entry({})]);
  expect(reasons).toEqual([
    {
      kind: 'reserve',
      code: 'proofDiffers',
      detail: 'klend refreshReserve, counterexample a',
      since: 7n,
    },
  ]);
});

test('another outcome marks what the program writes', () => {
  const subjects = [{ program: 'farms', instruction: 'stake', kind: 'transaction' }];
  expect(unprovenReasons([entry({ subjects })]).map(({ kind }) => kind)).toEqual([
    ...['farm', 'farmUser'],
  ]);
});

test('an explained counterexample marks nothing', () => {
  expect(unprovenReasons([entry({ explanation: 'a known change' })])).toEqual([]);
});
