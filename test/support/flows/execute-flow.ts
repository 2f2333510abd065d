import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import { isReservedAccount } from '#localnet/runtime/transactions/reserved-accounts.ts';
import { TransactionProcessor } from '#localnet/runtime/transactions/transaction-processor.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';
import type { FlowSnapshot } from './flow-snapshots.ts';

export type ExecutedFlow = {
  readonly record: TransactionRecord;
  /** The accounts in the recording. */
  readonly after: ReadonlyMap<Address, ClusterAccount | undefined>;
};

/** Processes the recorded transaction of a flow: verifies signatures and charges the fee. */
export function executeFlow(
  { flow, at, accounts }: FlowSnapshot,
  executor: Executor,
): ExecutedFlow {
  const processor = new TransactionProcessor({
    executor,
    isRecent: () => true,
    isProcessed: () => false,
  });
  const [transaction] = flow.transactions;
  const received = receiveTransaction(Buffer.from(transaction?.wire ?? '', 'base64'));
  const bank = { account: (address: Address) => accounts.get(address) };
  const processed = processor.process(received, { accounts: bank, time: at });
  if (processed.kind === 'rejected') throw new Error(JSON.stringify(processed.error));
  const { record, changes } = processed;
  const after = [...flow.after.keys()].map((address) => {
    const account = changes.has(address) ? changes.get(address) : accounts.get(address);
    return [address, account] as const;
  });
  return { record, after: new Map(after) };
}

/** In the format of the recordings. */
export function innerInstructions({ inner, accounts }: TransactionRecord): unknown[] {
  const indexes = new Map(accounts.map(({ address }, index) => [address, index]));
  return [...inner].map(([index, calls]) => ({
    index,
    instructions: calls.map(({ stackHeight, instruction }) => ({
      programIdIndex: indexes.get(instruction.programAddress),
      accounts: instruction.accounts.map(({ address }) => indexes.get(address)),
      data: encodeBase58(instruction.data),
      stackHeight,
    })),
  }));
}

/** Balances of the recorded accounts; programs and sysvars are not recorded. */
export function flowBalances(record: TransactionRecord, { flow }: FlowSnapshot): unknown {
  const tokens = (list: TransactionRecord['preTokenBalances']) =>
    list.map(({ accountIndex, mint, owner, amount, decimals, tokenProgram }) => ({
      accountIndex,
      mint,
      owner,
      programId: tokenProgram,
      amount: String(amount),
      decimals,
    }));
  const isRecordedIndex = (_: unknown, i: number) => isRecorded(record, flow, i);
  return {
    fee: Number(record.fee),
    preBalances: record.preBalances.map(String).filter(isRecordedIndex),
    postBalances: record.postBalances.map(String).filter(isRecordedIndex),
    preTokenBalances: tokens(record.preTokenBalances),
    postTokenBalances: tokens(record.postTokenBalances),
  };
}

type RecordedTokens = {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
};

/** Balances in the recording, in the same format. */
export function recordedBalances(
  meta: Readonly<Record<string, unknown>>,
  record: TransactionRecord,
  { flow }: FlowSnapshot,
): unknown {
  const lamports = (name: string) =>
    (meta[name] as string[]).filter((_, i) => isRecorded(record, flow, i));
  const tokens = (name: string) =>
    (meta[name] as RecordedTokens[]).map(({ uiTokenAmount, ...balance }) => {
      const { amount, decimals } = uiTokenAmount;
      return { ...balance, amount, decimals };
    });
  return {
    fee: meta['fee'],
    preBalances: lamports('preBalances'),
    postBalances: lamports('postBalances'),
    preTokenBalances: tokens('preTokenBalances'),
    postTokenBalances: tokens('postTokenBalances'),
  };
}

function isRecorded(
  { accounts }: TransactionRecord,
  flow: FlowSnapshot['flow'],
  index: number,
): boolean {
  const address = accounts[index]?.address;
  return address !== undefined && flow.before.has(address) && !isReservedAccount(address);
}
