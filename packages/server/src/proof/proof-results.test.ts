import { ZERO_ADDRESS } from '@tidegate/core/base';
import type { AccountProof, SlotProof, TransactionProof } from '@tidegate/localnet/replay';
import { expect, test } from 'vitest';
import { differingSubjects, type ProofContext, ProofResults } from './proof-results.ts';

const context: ProofContext = {
  slot: 5n,
  releases: { klend: '1.25', kvault: '2.1.1', farms: '1.6' },
  now: 0,
};

const reserve = (changes: Partial<AccountProof> = {}): AccountProof => ({
  address: ZERO_ADDRESS,
  program: 'klend',
  kind: 'reserve',
  instructions: ['refreshReserve', 'refreshReserve', 'repay'],
  signatures: ['one'],
  verdict: 'proven',
  ...changes,
});

const transaction = (changes: Partial<TransactionProof> = {}): TransactionProof => ({
  signature: 'one',
  index: 0,
  hasFailed: false,
  calls: [{ program: 'klend', instruction: 'repay' }],
  verdict: 'proven',
  ...changes,
});

const difference = (expected: string, actual: string) => ({
  field: 'liquidity.availableAmount',
  offset: 8,
  expected,
  actual,
});

function resultsOf(...proofs: readonly SlotProof[]): ProofResults {
  const results = new ProofResults();
  for (const proof of proofs) results.add(proof, context);
  return results;
}

test('an account counts once for each instruction that wrote it', () => {
  const rows = resultsOf({ accounts: [reserve()], transactions: [transaction()] }).rows(0);
  expect(
    rows.map(({ release, instruction, kind, sinceStart }) => [
      ...[release, instruction, kind, sinceStart.proven],
    ]),
  ).toEqual([
    ['1.25', 'refreshReserve', 'reserve', 1],
    ['1.25', 'repay', 'reserve', 1],
    ['1.25', 'repay', 'transaction', 1],
  ]);
});

test('a transaction is as good as the worst of what it wrote', () => {
  const unknown = reserve({ verdict: 'notProvable', reason: 'stateAfterUnknown' });
  const differing = reserve({ verdict: 'differing', differences: [difference('1', '2')] });
  const transactions = [transaction()];
  const results = resultsOf(
    { accounts: [reserve()], transactions },
    { accounts: [reserve(), unknown], transactions },
    { accounts: [unknown, differing], transactions },
  );
  results.skip(4, 0);
  expect(results.transactions(0).hour).toEqual({
    observed: 7,
    notTried: 4,
    proven: 1,
    differing: 1,
    notProvable: { stateAfterUnknown: 1 },
  });
});

test('the worst difference is the largest in proportion', () => {
  const accounts = [difference('100', '101'), difference('1', '2'), difference('500', '510')].map(
    (each) => reserve({ verdict: 'differing', instructions: ['repay'], differences: [each] }),
  );
  const [row] = resultsOf({ accounts, transactions: [] }).rows(0);
  expect(row?.worst).toMatchObject({ slot: '5', expected: '1', actual: '2' });
  expect(differingSubjects({ accounts, transactions: [] })[0]).toEqual({
    program: 'klend',
    instruction: 'repay',
    kind: 'reserve',
  });
});
