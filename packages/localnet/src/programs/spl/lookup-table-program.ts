import { type Address, type Slot, toSlot, ZERO_ADDRESS } from '@tidegate/core/base';
import { lookupTableAddress } from '@tidegate/core/protocol/spl';
import {
  closeLookupTable,
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
  freezeLookupTable,
} from '@tidegate/core/protocol/spl/instructions';
import {
  type AddressLookupTable,
  addressLookupTable,
  NOT_DEACTIVATED,
} from '@tidegate/core/protocol/spl/layout';
import { type CodedError, hasCode } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { type InstructionError, ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { createFundedAccount, topUpRent } from '../framework/fund-account.ts';
import {
  createNativeProgram,
  logInstructionName,
  nativeHandler,
} from '../framework/native-program.ts';

/** Slots whose hashes a cluster remembers. */
const RECENT_SLOTS = 512n;
const MAX_ADDRESSES = 256;
/** More do not fit into a transaction. */
const MAX_NEW_ADDRESSES = 38;

/** Address lookup tables, which transactions refer to by index. */
export const lookupTableProgram = createNativeProgram({
  rejectionUnits: 500,
  onStart: logInstructionName,
  toFailure,
  handlers: [
    nativeHandler(createLookupTable, 10_067, ({ accounts, args }, call) =>
      create(call, { ...accounts, ...args }),
    ),
    nativeHandler(freezeLookupTable, 1_517, ({ accounts }, call) => freeze(call, accounts)),
    nativeHandler(extendLookupTable, 6_222, ({ accounts, list }, call) =>
      extend(call, { ...accounts, added: list }),
    ),
    nativeHandler(deactivateLookupTable, 3_151, ({ accounts }, call) => deactivate(call, accounts)),
    nativeHandler(closeLookupTable, 4_226, ({ accounts }, call) => close(call, accounts)),
  ],
});

type TableAccounts = { readonly lookupTable: Address; readonly authority: Address };

type CreateRequest = TableAccounts & {
  readonly payer: Address;
  readonly recentSlot: Slot;
  readonly bump: number;
};

/** The address derives from a recent slot, so that a closed table cannot be created again. */
function create(
  call: InvokeContext,
  { lookupTable, authority, payer, recentSlot, bump }: CreateRequest,
): void {
  requireSigner(call, payer, 'Payer');
  const { slot } = call.time;
  if (recentSlot > slot || slot - recentSlot > RECENT_SLOTS) {
    throw logAndFail(call, 'InvalidInstructionData', `${recentSlot} is not a recent slot`);
  }
  const derived = lookupTableAddress(authority, recentSlot);
  if (derived.address !== lookupTable || derived.bump !== bump) {
    const message = `Table address must match derived address: ${derived.address}`;
    throw logAndFail(call, 'InvalidArgument', message);
  }
  if (call.account(lookupTable).owner === call.program) return;
  const size = addressLookupTable.size;
  createFundedAccount(call, { payer, account: lookupTable, size, owner: call.program });
  write(call, lookupTable, {
    discriminator: 1,
    deactivationSlot: NOT_DEACTIVATED,
    lastExtendedSlot: toSlot(0n),
    lastExtendedSlotStartIndex: 0,
    authorityTag: 1,
    authority,
    padding: 0,
    addresses: [],
  });
}

function freeze(call: InvokeContext, accounts: TableAccounts): void {
  const table = readTable(call, accounts, 'Lookup table is already frozen');
  requireActive(call, table, 'Deactivated tables cannot be frozen');
  if (table.addresses.length === 0) {
    throw logAndFail(call, 'InvalidInstructionData', 'Empty lookup tables cannot be frozen');
  }
  write(call, accounts.lookupTable, { ...table, authorityTag: 0, authority: ZERO_ADDRESS });
}

type ExtendRequest = TableAccounts & {
  readonly payer: Address;
  readonly added: readonly Address[];
};

function extend(call: InvokeContext, { payer, added, ...accounts }: ExtendRequest): void {
  if (added.length > MAX_NEW_ADDRESSES) throw new ProgramFailure('InvalidInstructionData');
  const table = readTable(call, accounts);
  requireActive(call, table, 'Deactivated tables cannot be extended');
  const count = table.addresses.length;
  if (count >= MAX_ADDRESSES) {
    const message = 'Lookup table is full and cannot contain more addresses';
    throw logAndFail(call, 'InvalidArgument', message);
  }
  if (added.length === 0) {
    throw logAndFail(call, 'InvalidInstructionData', 'Must extend with at least one address');
  }
  if (count + added.length > MAX_ADDRESSES) {
    const message = `Extended lookup table length ${count + added.length} would exceed max capacity of ${MAX_ADDRESSES}`;
    throw logAndFail(call, 'InvalidInstructionData', message);
  }
  const { slot } = call.time;
  const extension =
    slot === table.lastExtendedSlot
      ? {}
      : { lastExtendedSlot: slot, lastExtendedSlotStartIndex: count };
  const addresses = [...table.addresses, ...added];
  write(call, accounts.lookupTable, { ...table, ...extension, addresses });
  const account = accounts.lookupTable;
  const size = call.account(account).data.length;
  topUpRent(call, { payer, account, size });
}

function deactivate(call: InvokeContext, accounts: TableAccounts): void {
  const table = readTable(call, accounts);
  requireActive(call, table, 'Lookup table is already deactivated');
  write(call, accounts.lookupTable, { ...table, deactivationSlot: call.time.slot });
}

/** Possible once no transaction can use the table. */
function close(
  call: InvokeContext,
  { recipient, ...accounts }: TableAccounts & { readonly recipient: Address },
): void {
  const { lookupTable } = accounts;
  const { deactivationSlot } = readTable(call, accounts);
  if (lookupTable === recipient) {
    const message = 'Lookup table cannot be the recipient of reclaimed lamports';
    throw logAndFail(call, 'InvalidArgument', message);
  }
  if (deactivationSlot === NOT_DEACTIVATED) {
    throw logAndFail(call, 'InvalidArgument', 'Lookup table is not deactivated');
  }
  const remaining = RECENT_SLOTS + 1n - (call.time.slot - deactivationSlot);
  if (remaining > 0n) {
    const message = `Table cannot be closed until it's fully deactivated in ${remaining} blocks`;
    throw logAndFail(call, 'InvalidArgument', message);
  }
  const { lamports } = call.account(lookupTable);
  call.updateAccount(recipient, { lamports: call.account(recipient).lamports + lamports });
  call.updateAccount(lookupTable, { lamports: 0n, data: new Uint8Array() });
}

const write = (call: InvokeContext, address: Address, fields: AddressLookupTable): void =>
  writeAccount(call, addressLookupTable, { address, fields });

/** Reads a table that the signer may change. */
function readTable(
  call: InvokeContext,
  { lookupTable, authority }: TableAccounts,
  frozen = 'Lookup table is frozen',
): AddressLookupTable {
  if (call.account(lookupTable).owner !== call.program) {
    const message = 'Lookup table owner should be the Address Lookup Table program';
    throw logAndFail(call, 'InvalidAccountOwner', message);
  }
  requireSigner(call, authority, 'Authority');
  const table = readAccount(call, addressLookupTable, lookupTable);
  if (table.authorityTag === 0) throw logAndFail(call, 'Immutable', frozen);
  if (table.authority !== authority) {
    throw logAndFail(call, 'IncorrectAuthority', 'Incorrect lookup table authority');
  }
  return table;
}

function requireActive(
  call: InvokeContext,
  { deactivationSlot }: AddressLookupTable,
  message: string,
): void {
  if (deactivationSlot !== NOT_DEACTIVATED) throw logAndFail(call, 'InvalidArgument', message);
}

function requireSigner(
  call: InvokeContext,
  address: Address,
  account: 'Payer' | 'Authority',
): void {
  if (call.isSigner(address)) return;
  throw logAndFail(call, 'MissingRequiredSignature', `${account} account must be a signer`);
}

function logAndFail(call: InvokeContext, error: InstructionError, message: string): ProgramFailure {
  call.log(message);
  return new ProgramFailure(error);
}

/** The error for an account that is not a table. */
function toFailure(_: InvokeContext, error: CodedError): ProgramFailure | undefined {
  if (hasCode(error, 'ACCOUNT_WRONG_DISCRIMINATOR')) {
    return new ProgramFailure('UninitializedAccount');
  }
  const isMalformed = hasCode(error, 'ACCOUNT_WRONG_SIZE') || hasCode(error, 'MALFORMED_DATA');
  return isMalformed ? new ProgramFailure('InvalidAccountData') : undefined;
}
