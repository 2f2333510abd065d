import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Logger } from '#core/base/logger.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-program.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { Bank } from '#localnet/runtime/bank.ts';
import { blockhashOf } from '#localnet/runtime/blockhash.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import type { TransactionLedger } from '#localnet/runtime/transactions/transaction-ledger.ts';
import { TransactionPipeline } from '#localnet/runtime/transactions/transaction-pipeline.ts';
import type { ProcessingResult } from '#localnet/runtime/transactions/transaction-processor.ts';
import {
  type ClusterSnapshot,
  createJournalEntry,
  snapshotCluster,
} from '#localnet/storage/cluster-snapshot.ts';
import { type ClusterStore, openClusterStore } from '#localnet/storage/cluster-store.ts';
import { unpackAccounts } from '#localnet/storage/packed-account.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { namedSigner, signedWire } from './signed-transactions.ts';

export const ORIGIN = { slot: toSlot(1_000n), unix: toUnixSeconds(1_700_000_000n) };
export const SIMULATION = { seed: 'kept', days: 3, until: ORIGIN };
export const wallets = ['alice', 'bob', 'carol'].map(namedSigner);
/** An account that no transaction uses. */
export const IDLE_ACCOUNT = numberedAddress(50);

const SOL = 10n ** 9n;

/** `from`: index of the sender. */
type SentTransaction = {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly from: number;
};

export type RunningCluster = {
  readonly bank: Bank;
  readonly ledger: TransactionLedger;
  readonly sent: readonly SentTransaction[];
  /** Executes in the open slot. */
  run(wire: Uint8Array): ProcessingResult;
  /** Transfers in the open slot to the next wallet. */
  send(from: number, lamports: bigint): void;
  /** Closes the next slot after a transfer by each of these wallets, given by index. */
  advanceSlot(...senders: readonly number[]): void;
};

/** A cluster with three funded wallets. */
export function startCluster(): RunningCluster {
  const accounts = new Map(
    wallets.map(({ address }) => [
      address,
      { owner: SYSTEM_PROGRAM, lamports: 100n * SOL, data: new Uint8Array() },
    ]),
  );
  accounts.set(IDLE_ACCOUNT, {
    owner: numberedAddress(51),
    lamports: 7n,
    data: Uint8Array.of(1, 2, 3),
  });
  return runCluster(new Bank({ accounts, origin: ORIGIN }));
}

/** Continues from a stored cluster. */
export function resumeCluster({ accounts, origin, newest, transactions }: ClusterSnapshot) {
  const running = runCluster(
    new Bank({ accounts: unpackAccounts(accounts), origin, slot: newest.slot }),
  );
  for (const transaction of transactions) running.ledger.addPacked(transaction);
  return running;
}

function runCluster(bank: Bank): RunningCluster {
  const { seed } = SIMULATION;
  const executor = createModelExecutor(modelPrograms());
  const transactions = new TransactionPipeline({ bank, executor, seed });
  const sent: SentTransaction[] = [];
  const nextSlot = () => toSlot(bank.slot + 1n);
  const run = (wire: Uint8Array) =>
    transactions.execute(receiveTransaction(wire), bank.timeOf(nextSlot()));
  const send = (from: number, lamports: bigint) => {
    const [payer, receiver] = [wallets[from % 3], wallets[(from + 1) % 3]];
    if (payer === undefined || receiver === undefined) throw new Error('no wallet');
    const transfer = systemTransfer.build(SYSTEM_PROGRAM, {
      accounts: { from: payer.address, to: receiver.address },
      args: { lamports: toLamports(lamports) },
    });
    const blockhash = blockhashOf(seed, bank.slot);
    const wire = signedWire({ instructions: [transfer], signers: [payer], blockhash });
    const result = run(wire);
    if (result.kind === 'rejected') throw new Error(JSON.stringify(result.error));
    sent.push({ wire, signature: receiveTransaction(wire).signature, from: from % 3 });
  };
  return {
    bank,
    ledger: transactions.ledger,
    sent,
    run,
    send,
    advanceSlot: (...senders) => {
      for (const sender of senders) send(sender, SOL + BigInt(sender));
      bank.close(nextSlot());
    },
  };
}

/** A temporary folder, deleted after the test. */
export function temporaryDataFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidegate-store-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A log that records its warnings. */
export function warningsLog(): Logger & { readonly warnings: unknown[] } {
  const warnings: unknown[] = [];
  const ignore = () => undefined;
  const warn: Logger['warn'] = (context, message) => warnings.push({ ...context, message });
  return { warnings, warn, debug: ignore, info: ignore, error: ignore };
}

/** The results of all ledger queries. */
export function ledgerContents(ledger: TransactionLedger): unknown {
  const slots = [...ledger.slots()];
  const records = ledger.between(toSlot(0n), slots.at(-1) ?? toSlot(0n));
  const signatures = records.map(({ signature }) => signature);
  const addresses = [
    ...new Set(records.flatMap(({ accounts }) => accounts.map((record) => record.address))),
  ];
  const signaturesOf = (range: { readonly before?: string; readonly until?: string } = {}) =>
    addresses.map((address) =>
      [...ledger.forAddress(address, range)].map((record) => record.signature),
    );
  return {
    slots,
    records,
    size: ledger.size,
    found: signatures.map((signature) => ledger.find(signature)),
    bySlot: slots.map((slot) => ledger.inSlot(slot)),
    between: slots.flatMap((after) => slots.map((upTo) => ledger.between(after, upTo).length)),
    byAddress: addresses.map((address) => [...ledger.forAddress(address)]),
    before: signatures.map((before) => signaturesOf({ before })),
    until: signatures.map((until) => signaturesOf({ until })),
  };
}

export const toStoredCluster = (cluster: RunningCluster): ClusterSnapshot =>
  snapshotCluster({ ...cluster, ahead: 0n }, SIMULATION);

/** Closes a slot with one transfer, after storing it. */
export function advanceStoredSlot(
  store: ClusterStore,
  cluster: RunningCluster,
  sender: number,
): void {
  const { bank } = cluster;
  cluster.send(sender, 1_000n);
  const slot = toSlot(bank.slot + 1n);
  store.append(createJournalEntry({ ...cluster, ahead: 0n }, slot, []));
  bank.close(slot);
}

/** The cluster as the next process loads it. */
export function reopenStore(folder: string, log = silentLog): ClusterSnapshot | undefined {
  const store = openClusterStore(folder, log);
  try {
    return store.load();
  } finally {
    store.close();
  }
}

/** Five slots, four of them with two transfers. */
export function busyCluster(): RunningCluster {
  const cluster = startCluster();
  for (const sender of [0, 1, 2, 0]) cluster.advanceSlot(sender, sender + 1);
  cluster.advanceSlot();
  return cluster;
}
