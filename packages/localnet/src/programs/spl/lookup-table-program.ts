import {
  type Address,
  type CodedError,
  hasCode,
  type Slot,
  toSlot,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
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
import type { InvokeContext } from '../../runtime/program.ts';
import { type InstructionError, ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { createFundedAccount, topUpRent } from '../framework/fund-account.ts';
import {
  createNativeProgram,
  logInstructionName,
  nativeHandler,
} from '../framework/native-program.ts';

/** The slots that a cluster remembers the hashes of. */
const RECENT_SLOTS = 512n;
const MAX_ADDRESSES = 256;
/** No more fit into a transaction. */
const MAX_NEW_ADDRESSES = 38;

/** Tables of addresses, from which transactions take theirs by number. */
export const lookupTableProgram = createNativeProgram({
  unitsToRefuse: 500,
  begin: logInstructionName,
  refusal,
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

type Named = { readonly lookupTable: Address; readonly authority: Address };

type Creating = Named & {
  readonly payer: Address;
  readonly recentSlot: Slot;
  readonly bump: number;
};

/** At an address that follows from a recent slot, so that no table comes back once it is closed. */
function create(
  call: InvokeContext,
  { lookupTable, authority, payer, recentSlot, bump }: Creating,
): void {
  requireSigner(call, payer, 'Payer');
  const { slot } = call.time;
  if (recentSlot > slot || slot - recentSlot > RECENT_SLOTS) {
    throw fails(call, 'InvalidInstructionData', `${recentSlot} is not a recent slot`);
  }
  const derived = lookupTableAddress(authority, recentSlot);
  if (derived.address !== lookupTable || derived.bump !== bump) {
    const line = `Table address must match derived address: ${derived.address}`;
    throw fails(call, 'InvalidArgument', line);
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

function freeze(call: InvokeContext, named: Named): void {
  const table = readOwn(call, named, 'Lookup table is already frozen');
  requireInUse(call, table, 'Deactivated tables cannot be frozen');
  if (table.addresses.length === 0) {
    throw fails(call, 'InvalidInstructionData', 'Empty lookup tables cannot be frozen');
  }
  write(call, named.lookupTable, { ...table, authorityTag: 0, authority: ZERO_ADDRESS });
}

type Extending = Named & { readonly payer: Address; readonly added: readonly Address[] };

function extend(call: InvokeContext, { payer, added, ...named }: Extending): void {
  if (added.length > MAX_NEW_ADDRESSES) throw new ProgramFailure('InvalidInstructionData');
  const table = readOwn(call, named);
  requireInUse(call, table, 'Deactivated tables cannot be extended');
  const count = table.addresses.length;
  if (count >= MAX_ADDRESSES) {
    const line = 'Lookup table is full and cannot contain more addresses';
    throw fails(call, 'InvalidArgument', line);
  }
  if (added.length === 0) {
    throw fails(call, 'InvalidInstructionData', 'Must extend with at least one address');
  }
  if (count + added.length > MAX_ADDRESSES) {
    const line = `Extended lookup table length ${count + added.length} would exceed max capacity of ${MAX_ADDRESSES}`;
    throw fails(call, 'InvalidInstructionData', line);
  }
  const { slot } = call.time;
  const since =
    slot === table.lastExtendedSlot
      ? {}
      : { lastExtendedSlot: slot, lastExtendedSlotStartIndex: count };
  const addresses = [...table.addresses, ...added];
  write(call, named.lookupTable, { ...table, ...since, addresses });
  const account = named.lookupTable;
  const size = call.account(account).data.length;
  topUpRent(call, { payer, account, size });
}

function deactivate(call: InvokeContext, named: Named): void {
  const table = readOwn(call, named);
  requireInUse(call, table, 'Lookup table is already deactivated');
  write(call, named.lookupTable, { ...table, deactivationSlot: call.time.slot });
}

/** Once no transaction can use it any more. */
function close(
  call: InvokeContext,
  { recipient, ...named }: Named & { readonly recipient: Address },
): void {
  const { lookupTable } = named;
  const { deactivationSlot } = readOwn(call, named);
  if (lookupTable === recipient) {
    const line = 'Lookup table cannot be the recipient of reclaimed lamports';
    throw fails(call, 'InvalidArgument', line);
  }
  if (deactivationSlot === NOT_DEACTIVATED) {
    throw fails(call, 'InvalidArgument', 'Lookup table is not deactivated');
  }
  const remaining = RECENT_SLOTS + 1n - (call.time.slot - deactivationSlot);
  if (remaining > 0n) {
    const line = `Table cannot be closed until it's fully deactivated in ${remaining} blocks`;
    throw fails(call, 'InvalidArgument', line);
  }
  const { lamports } = call.account(lookupTable);
  call.change(recipient, { lamports: call.account(recipient).lamports + lamports });
  call.change(lookupTable, { lamports: 0n, data: new Uint8Array() });
}

const write = (call: InvokeContext, address: Address, fields: AddressLookupTable): void =>
  writeAccount(call, addressLookupTable, { address, fields });

/** A table that the one who signs may change. */
function readOwn(
  call: InvokeContext,
  { lookupTable, authority }: Named,
  frozen = 'Lookup table is frozen',
): AddressLookupTable {
  if (call.account(lookupTable).owner !== call.program) {
    const line = 'Lookup table owner should be the Address Lookup Table program';
    throw fails(call, 'InvalidAccountOwner', line);
  }
  requireSigner(call, authority, 'Authority');
  const table = readAccount(call, addressLookupTable, lookupTable);
  if (table.authorityTag === 0) throw fails(call, 'Immutable', frozen);
  if (table.authority !== authority) {
    throw fails(call, 'IncorrectAuthority', 'Incorrect lookup table authority');
  }
  return table;
}

function requireInUse(
  call: InvokeContext,
  { deactivationSlot }: AddressLookupTable,
  line: string,
): void {
  if (deactivationSlot !== NOT_DEACTIVATED) throw fails(call, 'InvalidArgument', line);
}

function requireSigner(call: InvokeContext, address: Address, who: 'Payer' | 'Authority'): void {
  if (call.isSigner(address)) return;
  throw fails(call, 'MissingRequiredSignature', `${who} account must be a signer`);
}

function fails(call: InvokeContext, error: InstructionError, line: string): ProgramFailure {
  call.log(line);
  return new ProgramFailure(error);
}

/** Of an account that is no table. */
function refusal(_: InvokeContext, error: CodedError): ProgramFailure | undefined {
  if (hasCode(error, 'ACCOUNT_WRONG_DISCRIMINATOR')) {
    return new ProgramFailure('UninitializedAccount');
  }
  const isOther = hasCode(error, 'ACCOUNT_WRONG_SIZE') || hasCode(error, 'MALFORMED_DATA');
  return isOther ? new ProgramFailure('InvalidAccountData') : undefined;
}
