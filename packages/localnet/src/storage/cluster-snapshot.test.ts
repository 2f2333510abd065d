import { type Slot, toSlot } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { expect, test } from 'vitest';
import {
  IDLE_ACCOUNT,
  SIMULATION,
  startCluster,
  wallets,
} from '../../../../test/support/localnet/stored-clusters.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import {
  applyJournal,
  createJournalEntry,
  isEmptyEntry,
  snapshotCluster,
} from './cluster-snapshot.ts';
import { type PackedAccount, packAccount, unpackAccount } from './packed-account.ts';

const [alice, bob, carol] = wallets.map(({ address }) => address);
const GIFT = numberedAddress(70);
const KEEPERS = numberedAddress(71);
const bytes = (...data: number[]) => ({
  ...{ owner: numberedAddress(51), lamports: 7n, data: Uint8Array.from(data) },
});
const unpacked = (account: PackedAccount | undefined) => account && unpackAccount(account);
const next = ({ slot }: { readonly slot: Slot }) => toSlot(slot + 1n);

test('of a slot its transactions are kept, what they changed, and what was written by hand', () => {
  const cluster = startCluster();
  cluster.pass(2);
  cluster.bank.setAccount(GIFT, bytes(1));
  cluster.bank.setAccount(IDLE_ACCOUNT, undefined);
  const written = cluster.bank.openAddresses();
  cluster.bank.setAccount(KEEPERS, bytes(2));
  cluster.send(0, 5n);
  const slot = createJournalEntry({ ...cluster, ahead: 4n }, next(cluster.bank), written);
  expect(slot.time).toEqual({ slot: 1_002n, unix: 1_700_000_000n });
  expect(slot.ahead).toBe(4n);
  expect([...slot.accounts.keys()].sort()).toEqual([GIFT, IDLE_ACCOUNT, alice, bob].sort());
  expect(unpacked(slot.accounts.get(GIFT))).toEqual(bytes(1));
  expect(slot.accounts.get(IDLE_ACCOUNT)).toBeUndefined();
  // 100 SOL, and 1 SOL and 2 lamports that carol has sent before
  const lamports = 101n * 10n ** 9n + 2n - 5n - 5_000n;
  expect(slot.accounts.get(alice ?? GIFT)?.lamports).toBe(lamports);
  expect(slot.transactions).toHaveLength(1);
  const [sent] = slot.transactions;
  expect(sent?.slot).toBe(1_002n);
  expect(sent?.packed.buffer.byteLength).toBe(sent?.packed.length);
  expect([...(sent?.addresses ?? [])].sort()).toEqual([alice, bob, SYSTEM_PROGRAM].sort());
});

test('what a transaction names is kept as it found it, though somebody else wrote it', () => {
  const cluster = startCluster();
  cluster.bank.setAccount(SYSTEM_PROGRAM, bytes(3));
  cluster.send(1, 5n);
  const slot = createJournalEntry({ ...cluster, ahead: 0n }, next(cluster.bank), []);
  expect([...slot.accounts.keys()].sort()).toEqual([bob, carol, SYSTEM_PROGRAM].sort());
  expect(unpacked(slot.accounts.get(SYSTEM_PROGRAM))).toEqual(bytes(3));
});

test('a slot in which keepers alone have written is empty', () => {
  const cluster = startCluster();
  cluster.bank.setAccount(KEEPERS, bytes(2));
  expect(isEmptyEntry(createJournalEntry({ ...cluster, ahead: 0n }, next(cluster.bank), []))).toBe(
    true,
  );
  expect(
    isEmptyEntry(createJournalEntry({ ...cluster, ahead: 0n }, next(cluster.bank), [KEEPERS])),
  ).toBe(false);
  cluster.send(0, 5n);
  expect(isEmptyEntry(createJournalEntry({ ...cluster, ahead: 0n }, next(cluster.bank), []))).toBe(
    false,
  );
});

test('a cluster is kept as of its newest closed slot', () => {
  const { bank, ledger, pass } = startCluster();
  pass(0, 1);
  bank.setAccount(IDLE_ACCOUNT, undefined);
  pass();
  bank.setAccount(GIFT, bytes(1));
  const cluster = snapshotCluster({ bank, ledger, ahead: -3n }, SIMULATION);
  expect(cluster.played).toEqual(SIMULATION);
  expect(cluster.origin).toEqual({ slot: 1_000n, unix: 1_700_000_000n });
  expect(cluster.newest).toEqual({ slot: 1_002n, unix: 1_700_000_000n });
  expect(cluster.ahead).toBe(-3n);
  expect([...cluster.accounts.keys()].sort()).toEqual([alice, bob, carol].sort());
  expect(cluster.transactions.map(({ slot }) => slot)).toEqual([1_001n, 1_001n]);
});

test('slots are put on top in their order', () => {
  const { bank, ledger, pass } = startCluster();
  pass(0);
  const cluster = snapshotCluster({ bank, ledger, ahead: 0n }, SIMULATION);
  const slotOf = (at: bigint, account?: ReturnType<typeof bytes>) => ({
    time: bank.timeOf(toSlot(at)),
    ahead: at,
    accounts: new Map([[GIFT, account && packAccount(account)]]),
    transactions: [],
  });
  const after = applyJournal(cluster, [
    slotOf(1_005n, bytes(1)),
    slotOf(1_006n),
    slotOf(1_009n, bytes(2)),
  ]);
  expect(unpacked(after.accounts.get(GIFT))).toEqual(bytes(2));
  expect(after.accounts.size).toBe(cluster.accounts.size + 1);
  expect(after.newest).toEqual({ slot: 1_009n, unix: 1_700_000_003n });
  expect(after.ahead).toBe(1_009n);
  expect(applyJournal(after, [slotOf(1_010n)]).accounts.has(GIFT)).toBe(false);
  expect(applyJournal(cluster, [])).toBe(cluster);
});
