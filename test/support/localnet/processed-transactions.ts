import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type Instruction, WRITE } from '#core/base/solana/instruction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/compute-budget.ts';
import {
  addressLookupTable,
  NOT_DEACTIVATED,
} from '#core/protocol/spl/layout/address-lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import type { InvokeContext, Program } from '#localnet/runtime/program.ts';
import type { TransactionError } from '#localnet/runtime/transaction-errors.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import {
  type ProcessingResult,
  TransactionProcessor,
} from '#localnet/runtime/transactions/transaction-processor.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { namedSigner, signedWire, type TransactionFields } from './signed-transactions.ts';

export const PROGRAM = numberedAddress(1);
export const BLOCKHASH = numberedAddress(2);
export const TABLE = numberedAddress(3);
export const PROGRAM_ACCOUNT = numberedAddress(4);
export const alice = namedSigner('alice');
export const bob = namedSigner('bob');
export const time = { slot: toSlot(1_000n), unix: toUnixSeconds(1n) };
export const EMPTY_ACCOUNT_RENT = 890_880n;

const noData = new Uint8Array();
export const wallet = (lamports: bigint): ClusterAccount => ({
  owner: SYSTEM_PROGRAM,
  lamports,
  data: noData,
});

export const exampleInstruction: Instruction = {
  programAddress: PROGRAM,
  accounts: [],
  data: noData,
};

export type TransactionSetup = Partial<TransactionFields> & {
  readonly accounts?: readonly (readonly [Address, ClusterAccount])[];
  readonly runProgram?: (call: InvokeContext) => void;
  readonly isProcessed?: boolean;
  readonly modifyWire?: (wire: Uint8Array) => void;
};

function process({
  accounts,
  runProgram = () => undefined,
  isProcessed = false,
  ...fields
}: TransactionSetup): ProcessingResult {
  const bank = new Map(accounts ?? [[alice.address, wallet(10n ** 9n)]]);
  const program: Program = { computeUnits: () => 100, run: runProgram };
  const budget: Program = { isBuiltin: true, computeUnits: () => 150, run: () => undefined };
  const programs = new Map([
    [PROGRAM, program],
    [COMPUTE_BUDGET_PROGRAM, budget],
  ]);
  const processor = new TransactionProcessor({
    executor: createModelExecutor(programs),
    isRecent: (blockhash) => blockhash === BLOCKHASH,
    isProcessed: () => isProcessed,
  });
  const {
    instructions = [exampleInstruction],
    signers = [alice],
    blockhash = BLOCKHASH,
    lookupTables = [],
  } = fields;
  const wire = signedWire({ instructions, signers, blockhash, lookupTables });
  fields.modifyWire?.(wire);
  const context = { accounts: { account: (address: Address) => bank.get(address) }, time };
  return processor.process(receiveTransaction(wire), context);
}

export function processingError(setup: TransactionSetup): TransactionError | undefined {
  const result = process(setup);
  return result.kind === 'rejected' ? result.error : undefined;
}

export function processTransaction(setup: TransactionSetup) {
  const result = process(setup);
  if (result.kind === 'rejected') throw new Error(JSON.stringify(result.error));
  return result;
}

export const instructionWithAccount = (
  address: Address,
  role: Instruction['accounts'][number]['role'],
): Instruction => ({
  ...exampleInstruction,
  accounts: [{ address, role }],
});

export const fundedAccounts = [[alice.address, wallet(10n ** 9n)]] as const;

export function loadedKeys(part: number): Address[] {
  return Array.from({ length: 22 }, (_, i) => numberedAddress(100 + part * 22 + i));
}

export function lookupTableOf(
  addresses: readonly Address[],
  lastExtendedSlot = toSlot(5n),
): ClusterAccount {
  const data = addressLookupTable.encode({
    discriminator: 1,
    deactivationSlot: NOT_DEACTIVATED,
    lastExtendedSlot,
    lastExtendedSlotStartIndex: 0,
    authorityTag: 0,
    authority: SYSTEM_PROGRAM,
    padding: 0,
    addresses,
  });
  return { owner: ADDRESS_LOOKUP_TABLE_PROGRAM, lamports: 1n, data };
}

/** A transaction that loads its account from the given lookup table. */
export function transactionWithTable(table: ClusterAccount | undefined): TransactionSetup {
  return {
    instructions: [instructionWithAccount(PROGRAM_ACCOUNT, WRITE)],
    lookupTables: [{ address: TABLE, addresses: [bob.address, PROGRAM_ACCOUNT] }],
    accounts: [...fundedAccounts, ...(table === undefined ? [] : [[TABLE, table] as const])],
  };
}

export function computeUnitLimit(units: number): Instruction {
  return setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args: { units } });
}
