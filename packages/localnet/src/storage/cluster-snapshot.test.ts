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
const SET_ACCOUNT = numberedAddress(70);
const KEEPER_ACCOUNT = numberedAddress(71);
const accountWithData = (...data: number[]) => ({
  owner: numberedAddress(51),
  lamports: 7n,
  data: Uint8Array.from(data),
});
const unpackOptional = (account: PackedAccount | undefined) => account && unpackAccount(account);
const nextSlot = ({ slot }: { readonly slot: Slot }) => toSlot(slot + 1n);

test('a journal entry has the transactions, the accounts they changed, and accounts set through the controls', () => {
  const cluster = startCluster();
  cluster.advanceSlot(2);
  cluster.bank.setAccount(SET_ACCOUNT, accountWithData(1));
  cluster.bank.setAccount(IDLE_ACCOUNT, undefined);
  const written = cluster.bank.pendingAddresses();
  cluster.bank.setAccount(KEEPER_ACCOUNT, accountWithData(2));
  cluster.send(0, 5n);
  const slot = createJournalEntry({ ...cluster, ahead: 4n }, nextSlot(cluster.bank), written);
  expect(slot.time).toEqual({ slot: 1_002n, unix: 1_700_000_000n });
  expect(slot.ahead).toBe(4n);
  expect([...slot.accounts.keys()].sort()).toEqual([SET_ACCOUNT, IDLE_ACCOUNT, alice, bob].sort());
  expect(unpackOptional(slot.accounts.get(SET_ACCOUNT))).toEqual(accountWithData(1));
  expect(slot.accounts.get(IDLE_ACCOUNT)).toBeUndefined();
  // 100 SOL, plus 1 SOL and 2 lamports sent by carol.
  const lamports = 101n * 10n ** 9n + 2n - 5n - 5_000n;
  expect(slot.accounts.get(alice ?? SET_ACCOUNT)?.lamports).toBe(lamports);
  expect(slot.transactions).toHaveLength(1);
  const [sent] = slot.transactions;
  expect(sent?.slot).toBe(1_002n);
  expect(sent?.packed.buffer.byteLength).toBe(sent?.packed.length);
  expect([...(sent?.addresses ?? [])].sort()).toEqual([alice, bob, SYSTEM_PROGRAM].sort());
});

test('accounts used by a transaction are stored even if a keeper wrote them', () => {
  const cluster = startCluster();
  cluster.bank.setAccount(SYSTEM_PROGRAM, accountWithData(3));
  cluster.send(1, 5n);
  const slot = createJournalEntry({ ...cluster, ahead: 0n }, nextSlot(cluster.bank), []);
  expect([...slot.accounts.keys()].sort()).toEqual([bob, carol, SYSTEM_PROGRAM].sort());
  expect(unpackOptional(slot.accounts.get(SYSTEM_PROGRAM))).toEqual(accountWithData(3));
});

test('an entry with keeper writes only is empty', () => {
  const cluster = startCluster();
  cluster.bank.setAccount(KEEPER_ACCOUNT, accountWithData(2));
  expect(
    isEmptyEntry(createJournalEntry({ ...cluster, ahead: 0n }, nextSlot(cluster.bank), [])),
  ).toBe(true);
  expect(
    isEmptyEntry(
      createJournalEntry({ ...cluster, ahead: 0n }, nextSlot(cluster.bank), [KEEPER_ACCOUNT]),
    ),
  ).toBe(false);
  cluster.send(0, 5n);
  expect(
    isEmptyEntry(createJournalEntry({ ...cluster, ahead: 0n }, nextSlot(cluster.bank), [])),
  ).toBe(false);
});

test('a snapshot is taken at the newest closed slot', () => {
  const { bank, ledger, advanceSlot } = startCluster();
  advanceSlot(0, 1);
  bank.setAccount(IDLE_ACCOUNT, undefined);
  advanceSlot();
  bank.setAccount(SET_ACCOUNT, accountWithData(1));
  const cluster = snapshotCluster({ bank, ledger, ahead: -3n }, SIMULATION);
  expect(cluster.played).toEqual(SIMULATION);
  expect(cluster.origin).toEqual({ slot: 1_000n, unix: 1_700_000_000n });
  expect(cluster.newest).toEqual({ slot: 1_002n, unix: 1_700_000_000n });
  expect(cluster.ahead).toBe(-3n);
  expect([...cluster.accounts.keys()].sort()).toEqual([alice, bob, carol].sort());
  expect(cluster.transactions.map(({ slot }) => slot)).toEqual([1_001n, 1_001n]);
});

test('journal entries are applied in order', () => {
  const { bank, ledger, advanceSlot } = startCluster();
  advanceSlot(0);
  const cluster = snapshotCluster({ bank, ledger, ahead: 0n }, SIMULATION);
  const createEntry = (at: bigint, account?: ReturnType<typeof accountWithData>) => ({
    time: bank.timeOf(toSlot(at)),
    ahead: at,
    accounts: new Map([[SET_ACCOUNT, account && packAccount(account)]]),
    transactions: [],
  });
  const after = applyJournal(cluster, [
    createEntry(1_005n, accountWithData(1)),
    createEntry(1_006n),
    createEntry(1_009n, accountWithData(2)),
  ]);
  expect(unpackOptional(after.accounts.get(SET_ACCOUNT))).toEqual(accountWithData(2));
  expect(after.accounts.size).toBe(cluster.accounts.size + 1);
  expect(after.newest).toEqual({ slot: 1_009n, unix: 1_700_000_003n });
  expect(after.ahead).toBe(1_009n);
  expect(applyJournal(after, [createEntry(1_010n)]).accounts.has(SET_ACCOUNT)).toBe(false);
  expect(applyJournal(cluster, [])).toBe(cluster);
});
