import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type Instruction, WRITE } from '#core/base/solana/instruction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/set-compute-unit-limit.ts';
import { addressLookupTable, IN_USE } from '#core/protocol/spl/layout/address-lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import type { Call, Program } from '#localnet/runtime/program.ts';
import type { TransactionError } from '#localnet/runtime/transaction-errors.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import {
  type Processed,
  TransactionProcessor,
} from '#localnet/runtime/transactions/transaction-processor.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { type MadeTransaction, madeSigner, madeWire } from './signed-transactions.ts';

export const PROGRAM = numberedAddress(1);
export const BLOCKHASH = numberedAddress(2);
export const TABLE = numberedAddress(3);
export const OWN = numberedAddress(4);
export const alice = madeSigner('alice');
export const bob = madeSigner('bob');
export const time = { slot: toSlot(1_000n), unix: toUnixSeconds(1n) };
export const RENT_OF_NOTHING = 890_880n;

const nothing = new Uint8Array();
export const wallet = (lamports: bigint): ClusterAccount => ({
  ...{ owner: SYSTEM_PROGRAM, lamports, data: nothing },
});

export const call: Instruction = { programAddress: PROGRAM, accounts: [], data: nothing };

export type Setting = Partial<MadeTransaction> & {
  readonly accounts?: readonly (readonly [Address, ClusterAccount])[];
  readonly act?: (call: Call) => void;
  readonly wasRun?: boolean;
  readonly change?: (wire: Uint8Array) => void;
};

function process({ accounts, act = () => undefined, wasRun = false, ...made }: Setting): Processed {
  const bank = new Map(accounts ?? [[alice.address, wallet(10n ** 9n)]]);
  const own: Program = { unitsOf: () => 100, run: act };
  const budget: Program = { isBuiltin: true, unitsOf: () => 150, run: () => undefined };
  const programs = new Map([
    [PROGRAM, own],
    [COMPUTE_BUDGET_PROGRAM, budget],
  ]);
  const processor = new TransactionProcessor({
    executor: createModelExecutor(programs),
    isRecent: (blockhash) => blockhash === BLOCKHASH,
    wasRun: () => wasRun,
  });
  const { instructions = [call], signers = [alice], blockhash = BLOCKHASH, tables = [] } = made;
  const wire = madeWire({ instructions, signers, blockhash, tables });
  made.change?.(wire);
  const ground = { accounts: { account: (address: Address) => bank.get(address) }, time };
  return processor.process(receiveTransaction(wire), ground);
}

export function refusalOf(setting: Setting): TransactionError | undefined {
  const processed = process(setting);
  return processed.kind === 'refused' ? processed.error : undefined;
}

export function runOf(setting: Setting) {
  const processed = process(setting);
  if (processed.kind === 'refused') throw new Error(JSON.stringify(processed.error));
  return processed;
}

export const naming = (
  address: Address,
  role: Instruction['accounts'][number]['role'],
): Instruction => ({
  ...call,
  accounts: [{ address, role }],
});

export const rich = [[alice.address, wallet(10n ** 9n)]] as const;

export function loadedKeys(part: number): Address[] {
  return Array.from({ length: 22 }, (_, i) => numberedAddress(100 + part * 22 + i));
}

export function tableOf(
  addresses: readonly Address[],
  lastExtendedSlot = toSlot(5n),
): ClusterAccount {
  const data = addressLookupTable.encode({
    discriminator: 1,
    deactivationSlot: IN_USE,
    lastExtendedSlot,
    lastExtendedSlotStartIndex: 0,
    authorityTag: 0,
    authority: SYSTEM_PROGRAM,
    padding: 0,
    addresses,
  });
  return { owner: ADDRESS_LOOKUP_TABLE_PROGRAM, lamports: 1n, data };
}

/** A transaction that takes its account from a table, which is then this. */
export function usingTable(table: ClusterAccount | undefined): Setting {
  return {
    instructions: [naming(OWN, WRITE)],
    tables: [{ address: TABLE, addresses: [bob.address, OWN] }],
    accounts: [...rich, ...(table === undefined ? [] : [[TABLE, table] as const])],
  };
}

export function limit(units: number): Instruction {
  return setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args: { units } });
}
