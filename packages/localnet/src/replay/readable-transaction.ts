import { type Address, type Instruction, type Role, SIGN, WRITE } from '@tidegate/core/base';
import {
  type Call,
  descendantsOf,
  parseTransaction,
  type TokenBalance,
  type Transaction,
} from '@tidegate/core/protocol/spl/transaction';
import { CodedError } from '../errors/index.ts';
import { isReservedAccount } from '../runtime/transactions/reserved-accounts.ts';
import type { ObservedTransaction } from './observed-slot.ts';
import { findProtocolProgram, isEventCall } from './protocol-accounts.ts';
import type { ReplayedCall } from './slot-proof.ts';

/** A transaction as the replay executes it. */
export type ReadableTransaction = {
  readonly signature: string;
  readonly index: number;
  readonly transaction: Transaction;
  readonly instructions: readonly Instruction[];
  readonly roles: ReadonlyMap<Address, Role>;
  /** Before the fee is paid. */
  readonly lamportsBefore: ReadonlyMap<Address, bigint>;
  readonly tokensBefore: ReadonlyMap<Address, TokenBalance>;
  /** Of the lending, vault and farms programs, in the order of execution. */
  readonly protocolCalls: readonly Call[];
  /** Their names; an unknown instruction is `unknown`. */
  readonly calls: readonly ReplayedCall[];
  /** False if the node did not say which program made which call. */
  readonly hasStackHeights: boolean;
};

export const UNKNOWN_INSTRUCTION = 'unknown';

/** Reads the response of a node. Returns the reason if it cannot be read. */
export function readTransaction(observed: ObservedTransaction): ReadableTransaction | string {
  try {
    return toReadable(observed);
  } catch (error) {
    if (error instanceof CodedError) return error.message;
    return `${error}`;
  }
}

function toReadable({ signature, index, response }: ObservedTransaction): ReadableTransaction {
  const transaction = parseTransaction(response);
  const { accounts, calls } = transaction;
  const called = new Set(calls.map(({ program }) => program));
  const roles = new Map(
    accounts.map(({ address, isSigner, isWritable }) => {
      const canWrite = isWritable && !isReservedAccount(address) && !called.has(address);
      return [address, ((isSigner ? SIGN : 0) | (canWrite ? WRITE : 0)) as Role];
    }),
  );
  const protocolCalls = calls
    .flatMap((call) => [call, ...descendantsOf(call)])
    .filter((call) => findProtocolProgram(call.program) !== undefined && !isEventCall(call));
  return {
    signature,
    index,
    transaction,
    roles,
    instructions: calls.map((call) => toInstruction(call, roles)),
    lamportsBefore: readLamports(
      response,
      accounts.map(({ address }) => address),
    ),
    tokensBefore: new Map(
      transaction.preTokenBalances.map((balance) => [balance.account, balance]),
    ),
    protocolCalls,
    calls: protocolCalls.flatMap((call) => {
      const program = findProtocolProgram(call.program);
      if (program === undefined) return [];
      return {
        program: program.name,
        instruction: program.nameOf(call.data) ?? UNKNOWN_INSTRUCTION,
      };
    }),
    hasStackHeights: hasStackHeights(response) || calls.some(hasNestedCalls),
  };
}

/** With the privileges that the transaction gives. */
export const toInstruction = (
  { program, accounts, data }: Call,
  roles: ReadonlyMap<Address, Role>,
): Instruction => ({
  programAddress: program,
  accounts: accounts.map((address) => ({ address, role: roles.get(address) ?? 0 })),
  data,
});

/** Heights that the log tells nest calls. */
const hasNestedCalls = ({ children }: Call): boolean =>
  children.some((child) => child.children.length > 0);

function hasStackHeights(response: unknown): boolean {
  const { meta } = response as { readonly meta: { readonly innerInstructions?: unknown } };
  const text = JSON.stringify(meta.innerInstructions ?? []);
  return text === '[]' || text.includes('"stackHeight":2');
}

function readLamports(response: unknown, addresses: readonly Address[]): Map<Address, bigint> {
  const { meta } = response as { readonly meta: { readonly preBalances?: unknown } };
  const balances = meta.preBalances;
  if (!Array.isArray(balances) || balances.length !== addresses.length) {
    throw malformed('it has not one balance for each account');
  }
  return new Map(addresses.map((address, i) => [address, toBalance(balances[i], address)]));
}

/** Some sources write large numbers as text. */
function toBalance(value: unknown, address: Address): bigint {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && DIGITS.test(value)) return BigInt(value);
  throw malformed(`the balance of ${address} is not an integer`);
}

const DIGITS = /^\d{1,20}$/;

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
