import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import type { Call } from '#core/protocol/spl/transaction/call-tree.ts';
import {
  type TransactionView,
  viewTransaction,
} from '#core/views/transactions/transaction-view.ts';
import { namedAddress } from './published-calls.ts';

/** A token balance before or after the transaction. Old nodes omit the owner. */
export type ExampleTokenBalance = {
  readonly account: string;
  readonly mint: string;
  readonly owner?: string;
  readonly amount: bigint;
};

type TransactionOptions = {
  readonly before?: readonly ExampleTokenBalance[];
  readonly after?: readonly ExampleTokenBalance[];
  readonly err?: unknown;
  readonly logMessages?: readonly string[];
};

/** The view of a transaction with these calls. All addresses are derived from names. */
export function exampleTransaction(
  calls: readonly Call[],
  options: TransactionOptions = {},
): TransactionView {
  const keys: Address[] = [namedAddress('payer of the fee')];
  const indexOf = (key: Address): number => {
    if (!keys.includes(key)) keys.push(key);
    return keys.indexOf(key);
  };
  const toInstruction = ({ program, accounts, data }: Call, stackHeight: number) => ({
    programIdIndex: indexOf(program),
    accounts: accounts.map(indexOf),
    data: encodeBase58(data),
    stackHeight,
  });
  const descendants = (call: Call, height: number): object[] =>
    call.children.flatMap((child) => [
      toInstruction(child, height),
      ...descendants(child, height + 1),
    ]);
  const balances = (list: readonly ExampleTokenBalance[] = []) =>
    list.map(({ account, mint, owner, amount }) => ({
      accountIndex: indexOf(namedAddress(account)),
      mint: namedAddress(mint),
      owner: owner && namedAddress(owner),
      uiTokenAmount: { amount: String(amount), decimals: 6 },
    }));
  const instructions = calls.map((call) => toInstruction(call, 1));
  const meta = {
    err: options.err ?? null,
    fee: 5000,
    innerInstructions: calls.map((call, index) => ({ index, instructions: descendants(call, 2) })),
    logMessages: options.logMessages ?? [],
    preTokenBalances: balances(options.before),
    postTokenBalances: balances(options.after),
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
