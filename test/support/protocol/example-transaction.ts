import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import type { Call } from '#core/protocol/spl/transaction/call-tree.ts';
import {
  type TransactionView,
  viewTransaction,
} from '#core/views/transactions/transaction-view.ts';
import { namedAddress } from './published-calls.ts';

/** A token account before or after; without an owner as old nodes tell of it. */
export type ExampleTokenBalance = {
  readonly account: string;
  readonly mint: string;
  readonly owner?: string;
  readonly amount: bigint;
};

type Told = {
  readonly before?: readonly ExampleTokenBalance[];
  readonly after?: readonly ExampleTokenBalance[];
  readonly err?: unknown;
};

/** What a node tells of a transaction that made these calls; all addresses are those of names. */
export function exampleTransaction(calls: readonly Call[], told: Told = {}): TransactionView {
  const keys: Address[] = [namedAddress('payer of the fee')];
  const indexOf = (key: Address): number => {
    if (!keys.includes(key)) keys.push(key);
    return keys.indexOf(key);
  };
  const form = ({ program, accounts, data }: Call, stackHeight: number) => ({
    programIdIndex: indexOf(program),
    accounts: accounts.map(indexOf),
    data: encodeBase58(data),
    stackHeight,
  });
  const below = (call: Call, height: number): object[] =>
    call.children.flatMap((child) => [form(child, height), ...below(child, height + 1)]);
  const balances = (list: readonly ExampleTokenBalance[] = []) =>
    list.map(({ account, mint, owner, amount }) => ({
      accountIndex: indexOf(namedAddress(account)),
      mint: namedAddress(mint),
      owner: owner && namedAddress(owner),
      uiTokenAmount: { amount: String(amount), decimals: 6 },
    }));
  const instructions = calls.map((call) => form(call, 1));
  const meta = {
    err: told.err ?? null,
    fee: 5000,
    innerInstructions: calls.map((call, index) => ({ index, instructions: below(call, 2) })),
    logMessages: [],
    preTokenBalances: balances(told.before),
    postTokenBalances: balances(told.after),
  };
  const header = {
    numRequiredSignatures: 1,
    numReadonlySignedAccounts: 0,
    numReadonlyUnsignedAccounts: 0,
  };
  const message = { header, accountKeys: keys, recentBlockhash: keys[0], instructions };
  const transaction = { signatures: ['1'.repeat(64)], message };
  return viewTransaction({ slot: 5, blockTime: 77, meta, transaction });
}
