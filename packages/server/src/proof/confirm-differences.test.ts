import { toSlot } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { AccountProof, TransactionProof } from '@tidegate/localnet/replay';
import { expect, test } from 'vitest';
import type { LedgerReader } from '../chain/source/ledger-reader.ts';
import { CodedError } from '../errors.ts';
import { confirmDifferences } from './confirm-differences.ts';

const slot = toSlot(7n);
const differences = [{ field: 'slot', offset: 0, expected: '1', actual: '2' }];

const account: AccountProof = {
  address: SYSTEM_PROGRAM,
  program: 'klend',
  kind: 'reserve',
  instructions: ['refreshReserve'],
  signatures: ['seen'],
  verdict: 'differing',
  differences,
};

const transaction: TransactionProof = {
  signature: 'seen',
  index: 0,
  hasFailed: false,
  calls: [{ program: 'klend', instruction: 'refreshReserve' }],
  verdict: 'differing',
  differences,
};

/** The node lists these signatures of the slot for each address. */
async function confirm(listed: Readonly<Record<string, readonly string[]>>) {
  const listSignatures: LedgerReader['listSignatures'] = async ({ address }) =>
    (listed[address] ?? []).map((signature) => ({
      signature,
      slot,
      at: undefined,
      failed: false,
    }));
  return verdictsOf(listSignatures);
}

async function verdictsOf(listSignatures: LedgerReader['listSignatures']) {
  const proof = { accounts: [account], transactions: [transaction] };
  const signatures = new Set(['seen']);
  const { accounts, transactions } = await confirmDifferences(
    proof,
    { listSignatures },
    { slot, signatures },
  );
  return { account: accounts[0], transaction: transactions[0] };
}

const missing = { verdict: 'notProvable', reason: 'transactionMissing' };

test('a difference counts if the node lists only transactions that were replayed', async () => {
  const confirmed = await confirm({ [SYSTEM_PROGRAM]: ['seen'], [KLEND_PROGRAM]: ['seen'] });
  expect(confirmed).toEqual({ account, transaction });
});

test('an account of a further transaction is not provable', async () => {
  const confirmed = await confirm({ [SYSTEM_PROGRAM]: ['seen', 'missed'] });
  expect(confirmed.account).toMatchObject(missing);
  expect(confirmed.account).not.toHaveProperty('differences');
  expect(confirmed.transaction).toEqual(transaction);
});

test('the outcome of a transaction is not provable if a further one of its program is in the slot', async () => {
  const confirmed = await confirm({ [KLEND_PROGRAM]: ['missed', 'seen'] });
  expect(confirmed.transaction).toMatchObject(missing);
  expect(confirmed.account).toEqual(account);
});

test('nothing differs for sure while the node does not answer', async () => {
  const confirmed = await verdictsOf(async () => {
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'node', reason: 'down' });
  });
  expect(confirmed).toMatchObject({ account: missing, transaction: missing });
});
