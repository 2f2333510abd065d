import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { createFarmsProgram } from '#localnet/programs/farms/farms-program.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import type { ExecutionResult } from '#localnet/runtime/execute-instructions.ts';
import type { ProgramRegistry } from '#localnet/runtime/program.ts';
import type { GoldenFlow } from '../golden/golden.ts';
import { RECORDED_BUILD_RULES } from '../golden/recorded-build.ts';

/** Our programs with the rules of the builds that recorded the golden data. */
export const goldenPrograms: ProgramRegistry = new Map([
  ...standardPrograms,
  [FARMS_PROGRAM, createFarmsProgram(RECORDED_BUILD_RULES.farms)],
  [KLEND_PROGRAM, createKlendProgram(RECORDED_BUILD_RULES.lending)],
]);

type RecordedTransaction = {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly fee: number;
    readonly err: unknown;
    readonly loadedAddresses: {
      readonly writable: readonly string[];
      readonly readonly: readonly string[];
    };
    readonly innerInstructions: readonly RecordedInner[];
  };
};

type RecordedInner = {
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: readonly number[];
    readonly data: string;
    readonly stackHeight: number;
  }[];
};

/** An inner instruction as JSON. */
export type InnerCallJson = {
  readonly index: number;
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: string;
  readonly stackHeight: number;
};

/** The first transaction of a flow as returned by a node. */
export function recordedTransactionOf({ transactions, name }: GoldenFlow): RecordedTransaction {
  const [transaction] = transactions;
  if (transaction === undefined) throw new Error(`${name} has no transaction`);
  return transaction.rpc as RecordedTransaction;
}

export const flowFeePayer = (flow: GoldenFlow): Address =>
  toAddress(recordedTransactionOf(flow).transaction.message.accountKeys[0] ?? '');

export function recordedCalls(flow: GoldenFlow): InnerCallJson[] {
  const { transaction, meta } = recordedTransactionOf(flow);
  const { writable, readonly } = meta.loadedAddresses;
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
  const key = (index: number) => keys[index] ?? '';
  return meta.innerInstructions.flatMap(({ index, instructions }) =>
    instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
      index,
      program: key(programIdIndex),
      accounts: accounts.map(key),
      data,
      stackHeight,
    })),
  );
}

export const executedCalls = ({ inner }: Pick<ExecutionResult, 'inner'>): InnerCallJson[] =>
  [...inner].flatMap(([index, calls]) =>
    calls.map(({ instruction, stackHeight }) => ({
      index,
      program: instruction.programAddress,
      accounts: instruction.accounts.map(({ address }) => address),
      data: encodeBase58(instruction.data),
      stackHeight,
    })),
  );

const KLEND = `Program ${KLEND_PROGRAM}`;

/** Log lines of the lending program itself, without those of the programs it calls. */
export function lendingLogs(lines: readonly string[]): string[] {
  const stack: string[] = [];
  return lines.filter((line) => {
    const [, name, what] = line.split(' ');
    if (what === 'invoke') stack.push(`Program ${name}`);
    else if (what === 'success' || what === 'failed:') stack.pop();
    return line.startsWith('Program log: ') && stack.at(-1) === KLEND;
  });
}
