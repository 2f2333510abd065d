import type { Address } from '../../base/encoding/address.ts';
import type { Slot, UnixSeconds } from '../../base/time.ts';
import { isAbsent, toJsonObject } from '../../protocol/spl/transaction/json-values.ts';
import type { TokenBalance } from '../../protocol/spl/transaction/token-balances.ts';
import { parseTransaction, type Transaction } from '../../protocol/spl/transaction/transaction.ts';
import { type TransactionFailure, viewExecutedFailure } from './transaction-failure.ts';

/** What an executed transaction changed, as its node recorded it. */
export type TransactionOutcome = Pick<Transaction, 'version' | 'fee' | 'computeUnits'> & {
  readonly slot: Slot;
  /** Undefined if the node does not have it. */
  readonly blockTime: UnixSeconds | undefined;
  readonly feePayer: Address | undefined;
  readonly failure: TransactionFailure | undefined;
  /** By owner and mint. Undefined if the node recorded no token balances. */
  readonly tokens: readonly TokenBalanceChange[] | undefined;
  /** By account. Undefined if the node recorded no balances. */
  readonly sol: readonly SolBalanceChange[] | undefined;
};

export type TokenBalanceChange = {
  /** Undefined if the node does not report owners; there is then one change for each account. */
  readonly owner: Address | undefined;
  readonly accounts: readonly Address[];
  readonly mint: Address;
  readonly decimals: number;
  readonly before: bigint;
  readonly after: bigint;
};

export type SolBalanceChange = {
  readonly account: Address;
  /** Of a token account; undefined for others. */
  readonly tokenOwner: Address | undefined;
  /** Undefined if it is too large to be exact in the response of the node. */
  readonly before: bigint | undefined;
  readonly after: bigint | undefined;
};

/** Reads the `result` of `getTransaction`. */
export function viewTransactionOutcome(response: unknown): TransactionOutcome {
  const transaction = parseTransaction(response);
  const meta = toJsonObject(toJsonObject(response, 'the response')['meta'], 'meta');
  const { slot, blockTime, version, fee, computeUnits, error, accounts } = transaction;
  const hasTokens = !isAbsent(meta['preTokenBalances']) && !isAbsent(meta['postTokenBalances']);
  return {
    ...{ slot, blockTime, version, fee, computeUnits },
    feePayer: accounts[0]?.address,
    failure: error && viewExecutedFailure(error, transaction),
    tokens: hasTokens ? tokenChanges(transaction) : undefined,
    sol: solChanges(transaction, meta),
  };
}

type MutableChange = {
  -readonly [Key in keyof TokenBalanceChange]: TokenBalanceChange[Key];
};

/** An account that is in one of the lists only was created or closed, and had nothing at the other time. */
function tokenChanges({ preTokenBalances, postTokenBalances }: Transaction): TokenBalanceChange[] {
  const changes = new Map<string, MutableChange>();
  const add = (balance: TokenBalance, time: 'before' | 'after'): void => {
    const { owner, account, mint, decimals, amount } = balance;
    const key = `${owner ?? account} ${mint}`;
    const change = changes.get(key) ?? {
      ...{ owner, accounts: [], mint, decimals, before: 0n, after: 0n },
    };
    change[time] += amount;
    if (!change.accounts.includes(account)) change.accounts = [...change.accounts, account];
    changes.set(key, change);
  };
  for (const balance of preTokenBalances) add(balance, 'before');
  for (const balance of postTokenBalances) add(balance, 'after');
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

function solChanges(
  { accounts, preTokenBalances, postTokenBalances }: Transaction,
  meta: Readonly<Record<string, unknown>>,
): SolBalanceChange[] | undefined {
  const { preBalances, postBalances } = meta;
  if (!isComplete(preBalances, accounts) || !isComplete(postBalances, accounts)) return undefined;
  const owners = new Map(
    [...preTokenBalances, ...postTokenBalances].map(({ account, owner }) => [account, owner]),
  );
  return accounts.flatMap(({ address }, index) => {
    const [before, after] = [exact(preBalances[index]), exact(postBalances[index])];
    if (before !== undefined && before === after) return [];
    return [{ account: address, tokenOwner: owners.get(address), before, after }];
  });
}

const isComplete = (
  balances: unknown,
  accounts: readonly unknown[],
): balances is readonly unknown[] => Array.isArray(balances) && balances.length === accounts.length;

/** A JSON number above 2^53 has lost its last digits. */
const exact = (value: unknown): bigint | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : undefined;
