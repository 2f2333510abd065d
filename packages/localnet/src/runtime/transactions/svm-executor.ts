import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AccountMeta,
  type Address,
  bytesEqual,
  type ClusterAccount,
  parseAddress,
  type Role,
  SIGN,
  toSlot,
  WRITE,
} from '@tidegate/core/base';
import { NEWEST_RULES, PROGRAM_NAMES, programTables } from '@tidegate/core/protocol/releases';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  executableOf,
  isProgramData,
  programDataAddress,
} from '@tidegate/core/protocol/spl';
import type { MessageAccount } from '@tidegate/core/protocol/spl/transaction';
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from 'litesvm';
import { CodedError } from '../../errors/index.ts';
import { blockhashOf } from '../blockhash.ts';
import type { InnerInstruction } from '../call-frame.ts';
import { SLOTS_PER_EPOCH } from '../slot-time.ts';
import type { AccountReader } from '../transaction-accounts.ts';
import type { Deployment, ExecutionContext, Executor, TransactionResult } from './executor.ts';
import type { LoadedTransaction } from './load-transaction.ts';
import { isReservedAccount } from './reserved-accounts.ts';
import { toTransactionError } from './svm-errors.ts';

type Svm = typeof import('litesvm');

const PACKAGE: string = 'litesvm';
const SUFFIX = '.so';
const RECENT_SLOTS = 512;

/** Executes the real programs. Each file of the folder is a program, named by its address. */
export async function createSvmExecutor(folder: string): Promise<Executor> {
  const library = await loadLibrary();
  // Transactions are already checked.
  const svm = new library.LiteSVM()
    .withSigverify(false)
    .withBlockhashCheck(false)
    .withTransactionHistory(0n);
  const binaries = new Map(
    programFiles(folder).map(({ address, path }) => [address, readFileSync(path)] as const),
  );
  for (const [address, binary] of binaries) svm.addProgram(address as never, binary);
  const reload = createProgramLoader(svm, binaries);
  const isProgram = (address: Address) => {
    const account = svm.getAccount(address as never);
    return account.exists && account.executable;
  };
  return {
    rulesAt: () => NEWEST_RULES,
    hasProgram: isProgram,
    deploymentsAt: () => deploymentsOf(binaries),
    execute(transaction, context) {
      reload(context.accounts);
      const accountAddresses = [
        ...transaction.accounts.map(({ address }) => address),
        ...tablesOf(transaction),
      ].filter((address) => !isReservedAccount(address) && !isProgram(address));
      setClock(svm, library, context);
      if (usesLookupTableProgram(transaction)) setSlotHashes(svm, context);
      for (const address of accountAddresses)
        setAccount(svm, address, context.accounts.account(address));
      return run(svm, transaction, accountAddresses);
    },
  };
}

const deploymentsOf = (binaries: ReadonlyMap<Address, Uint8Array>): Deployment[] =>
  PROGRAM_NAMES.flatMap((program) => {
    const executable = binaries.get(programTables[program].addresses.usual);
    return executable === undefined ? [] : [{ program, from: toSlot(0n), executable }];
  });

/** Loads programs whose executable has changed. Bytes that are no program leave the one before in place. */
function createProgramLoader(svm: LiteSVM, binaries: ReadonlyMap<Address, Uint8Array>) {
  const loaded = new Map<Address, Uint8Array>(binaries);
  const seen = new Map<Address, ClusterAccount>();
  const programs = PROGRAM_NAMES.map((name) => programTables[name].addresses.usual);
  return (accounts: AccountReader): void => {
    for (const program of programs) {
      const account = accounts.account(programDataAddress(program));
      if (account === undefined || account === seen.get(program)) continue;
      seen.set(program, account);
      const executable = isProgramData(account) ? executableOf(account.data) : undefined;
      const current = loaded.get(program);
      if (executable === undefined || (current && bytesEqual(current, executable))) continue;
      try {
        svm.addProgram(program as never, executable);
        loaded.set(program, executable);
      } catch {
        // it is not an executable of this runtime
      }
    }
  };
}

async function loadLibrary(): Promise<Svm> {
  try {
    return (await import(PACKAGE)) as Svm;
  } catch (error) {
    throw new CodedError('PACKAGE_MISSING', { package: PACKAGE, use: 'run real programs' }, error);
  }
}

function programFiles(folder: string): { readonly address: Address; readonly path: string }[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  return files.flatMap((name) => {
    const address = parseAddress(name.slice(0, -SUFFIX.length));
    return address === undefined ? [] : [{ address, path: join(folder, name) }];
  });
}

const tablesOf = ({ message }: LoadedTransaction): Address[] =>
  message.lookups.map(({ table }) => table);

function setClock(svm: LiteSVM, { Clock }: Svm, { time: { slot, unix } }: ExecutionContext): void {
  const epoch = slot / SLOTS_PER_EPOCH;
  const start = unix - ((slot % SLOTS_PER_EPOCH) * 2n) / 5n;
  svm.setClock(new Clock(slot, start, epoch, epoch + 1n, unix));
}

/** Only the creation of a lookup table reads them. */
const usesLookupTableProgram = ({ instructions }: LoadedTransaction): boolean =>
  instructions.some(({ programAddress }) => programAddress === ADDRESS_LOOKUP_TABLE_PROGRAM);

function setSlotHashes(svm: LiteSVM, { time: { slot } }: ExecutionContext): void {
  const hash = blockhashOf('slot', slot);
  const slots = Array.from({ length: RECENT_SLOTS }, (_, age) => slot - BigInt(age));
  svm.setSlotHashes(slots.map((recentSlot) => ({ slot: recentSlot, hash })));
}

function setAccount(svm: LiteSVM, address: Address, account: ClusterAccount | undefined): void {
  const { owner, lamports, data } = account ?? EMPTY_ACCOUNT;
  svm.setAccount({
    address,
    programAddress: owner,
    lamports,
    data,
    executable: false,
    space: BigInt(data.length),
  } as never);
}

const EMPTY_ACCOUNT = {
  owner: '11111111111111111111111111111111',
  lamports: 0n,
  data: new Uint8Array(),
};

function run(
  svm: LiteSVM,
  transaction: LoadedTransaction,
  accountAddresses: readonly Address[],
): TransactionResult {
  const { messageBytes } = transaction;
  const result = svm.sendTransaction({
    messageBytes,
    signatures: signaturesOf(transaction),
  } as never);
  const isFailed = 'err' in result;
  const meta: TransactionMetadata = isFailed ? result.meta() : result;
  const changes = new Map<Address, ClusterAccount | undefined>();
  for (const { address, isWritable } of transaction.accounts) {
    if (isWritable && accountAddresses.includes(address))
      changes.set(address, accountOf(svm, address));
  }
  return {
    error: isFailed ? toTransactionError((result as FailedTransactionMetadata).err()) : undefined,
    logs: meta.logs(),
    inner: innerCalls(meta, transaction.accounts),
    units: Number(meta.computeUnitsConsumed()),
    changes,
  };
}

/** By address, in message order, as kit encodes them. */
function signaturesOf({ message, wire }: LoadedTransaction): Record<Address, Uint8Array> {
  const signers = message.staticKeys.slice(0, message.header.numRequiredSignatures);
  return Object.fromEntries(
    signers.map((address, i) => [address, wire.slice(1 + i * 64, 1 + (i + 1) * 64)]),
  );
}

function accountOf(svm: LiteSVM, address: Address): ClusterAccount | undefined {
  const account = svm.getAccount(address as never);
  if (!account.exists || account.lamports === 0n) return undefined;
  const owner = account.programAddress as string as Address;
  return { owner, lamports: account.lamports, data: Uint8Array.from(account.data) };
}

function innerCalls(
  meta: TransactionMetadata,
  accounts: readonly MessageAccount[],
): Map<number, InnerInstruction[]> {
  const metas = accounts.map(({ address, isSigner, isWritable }): AccountMeta => {
    return { address, role: ((isSigner ? SIGN : 0) | (isWritable ? WRITE : 0)) as Role };
  });
  const metaAt = (index: number): AccountMeta => {
    const found = metas[index];
    if (found === undefined) throw new RangeError(`no account ${index}`);
    return found;
  };
  const calls = meta.innerInstructions().map((list) =>
    list.map((inner): InnerInstruction => {
      const compiled = inner.instruction();
      return {
        stackHeight: inner.stackHeight(),
        instruction: {
          programAddress: metaAt(compiled.programIdIndex()).address,
          accounts: [...compiled.accounts()].map(metaAt),
          data: Uint8Array.from(compiled.data()),
        },
      };
    }),
  );
  return new Map([...calls.entries()].filter(([, list]) => list.length > 0));
}
