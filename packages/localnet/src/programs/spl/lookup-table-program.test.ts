import {
  type Address,
  type ClusterAccount,
  type Instruction,
  READ,
  toSlot,
} from '@tidegate/core/base';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  lookupTableAddress,
  SYSTEM_PROGRAM,
} from '@tidegate/core/protocol/spl';
import {
  closeLookupTable,
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
  freezeLookupTable,
} from '@tidegate/core/protocol/spl/instructions';
import { addressLookupTable } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../test/support/localnet/instruction-error.ts';
import { NOW, runNative, walletAccount } from '../../../../../test/support/localnet/run-native.ts';
import { withRole } from '../../../../../test/support/localnet/token-accounts.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';

const PROGRAM = ADDRESS_LOOKUP_TABLE_PROGRAM;
const AUTHORITY = numberedAddress(1);
const PAYER = numberedAddress(2);
const OTHER = numberedAddress(3);
const CREATION_SLOT = toSlot(999n);
const { address: TABLE, bump } = lookupTableAddress(AUTHORITY, CREATION_SLOT);
const payer = [PAYER, walletAccount()] as const;

const createTable = (changes: { slot?: bigint; table?: Address; bump?: number } = {}) =>
  createLookupTable.build(PROGRAM, {
    accounts: {
      lookupTable: changes.table ?? TABLE,
      authority: AUTHORITY,
      payer: PAYER,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { recentSlot: toSlot(changes.slot ?? CREATION_SLOT), bump: changes.bump ?? bump },
  });

const extendTable = (count: number, authority = AUTHORITY) =>
  extendLookupTable.build(PROGRAM, {
    accounts: { lookupTable: TABLE, authority, payer: PAYER, systemProgram: SYSTEM_PROGRAM },
    args: {},
    list: Array.from({ length: count }, (_, i) => numberedAddress(100 + i)),
  });

const accounts = { lookupTable: TABLE, authority: AUTHORITY };
const freezeTable = freezeLookupTable.build(PROGRAM, { accounts, args: {} });
const deactivateTable = deactivateLookupTable.build(PROGRAM, { accounts, args: {} });
const closeTable = (recipient: Address = OTHER) =>
  closeLookupTable.build(PROGRAM, { accounts: { ...accounts, recipient }, args: {} });

/** Runs each step in its slot on the result of the previous one; returns the last result. */
function runSteps(...steps: readonly (readonly [slot: bigint, ...Instruction[]])[]) {
  let table: ClusterAccount | undefined;
  let result = runNative([payer], []);
  for (const [slot, ...instructions] of steps) {
    const before = table === undefined ? [payer] : [payer, [TABLE, table] as const];
    result = runNative(before, instructions, { ...NOW, slot: toSlot(slot) });
    table = result.account(TABLE);
  }
  return { ...result, table: () => addressLookupTable.decode(result.account(TABLE)) };
}

const created: readonly [bigint, Instruction] = [1_000n, createTable()];
const extended: readonly [bigint, Instruction] = [1_001n, extendTable(2)];

test('a table starts empty, at an address derived from a recent slot', () => {
  const { error, table, account, logs } = runSteps(created);
  expect(error).toBeUndefined();
  expect(table()).toMatchObject({
    deactivationSlot: 18_446_744_073_709_551_615n,
    lastExtendedSlot: 0n,
    authorityTag: 1,
    authority: AUTHORITY,
    addresses: [],
  });
  expect(account(TABLE).lamports).toBe(1_280_640n);
  expect(logs[1]).toBe('Program log: Instruction: CreateLookupTable');
});

test('creating an existing table leaves it unchanged', () => {
  const { error, table } = runSteps(created, extended, created);
  expect(error).toBeUndefined();
  expect(table().addresses).toHaveLength(2);
});

test.each([
  ['a future slot', 'InvalidInstructionData', createTable({ slot: 1_001n })],
  ['an old slot', 'InvalidInstructionData', createTable({ slot: 487n })],
  ['another address', 'InvalidArgument', createTable({ table: OTHER })],
  ['another bump', 'InvalidArgument', createTable({ bump: bump - 1 })],
  ['an unsigned payer', 'MissingRequiredSignature', withRole(createTable(), PAYER, READ)],
] as const)('creation fails with %s', (_, error, instruction) => {
  expect(runSteps([1_000n, instruction]).error).toEqual(instructionError(error));
});

test('addresses are appended, and the payer funds them', () => {
  const { error, table, account } = runSteps(created, extended);
  expect(error).toBeUndefined();
  expect(table()).toMatchObject({
    lastExtendedSlot: 1_001n,
    lastExtendedSlotStartIndex: 0,
    addresses: [numberedAddress(100), numberedAddress(101)],
  });
  expect(account(TABLE).lamports).toBe(1_726_080n);
});

test('the start index of a slot is that of its first extension', () => {
  const { table } = runSteps(created, extended, [1_005n, extendTable(1), extendTable(3)]);
  expect(table()).toMatchObject({ lastExtendedSlot: 1_005n, lastExtendedSlotStartIndex: 2 });
  expect(table().addresses).toHaveLength(6);
});

test('a table has at most 256 addresses', () => {
  const full = Array.from({ length: 8 }, () => extendTable(32));
  expect(runSteps(created, [1_001n, ...full]).error).toBeUndefined();
  expect(runSteps(created, [1_001n, ...full], [1_002n, extendTable(1)]).error).toEqual(
    instructionError('InvalidArgument'),
  );
  const almost = full.slice(1);
  const over = runSteps(created, [1_001n, ...almost], [1_002n, extendTable(33)]);
  expect(over.error).toEqual(instructionError('InvalidInstructionData'));
  expect(over.logs).toContain(
    'Program log: Extended lookup table length 257 would exceed max capacity of 256',
  );
});

test.each([0, 39])('extending by %i addresses is rejected', (count) => {
  expect(runSteps(created, [1_001n, extendTable(count)]).error).toEqual(
    instructionError('InvalidInstructionData'),
  );
});

test('only the authority can change a table', () => {
  expect(runSteps(created, [1_001n, extendTable(1, OTHER)]).error).toEqual(
    instructionError('IncorrectAuthority'),
  );
  expect(runSteps(created, [1_001n, withRole(extendTable(1), AUTHORITY, READ)]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
  expect(runSteps([1_001n, extendTable(1)]).error).toEqual(instructionError('InvalidAccountOwner'));
});

test('a frozen table cannot be changed', () => {
  const frozen = runSteps(created, extended, [1_002n, freezeTable]);
  expect(frozen.error).toBeUndefined();
  expect(frozen.table().authorityTag).toBe(0);
  for (const instruction of [freezeTable, extendTable(1), deactivateTable, closeTable()]) {
    const { error } = runSteps(created, extended, [1_002n, freezeTable], [1_003n, instruction]);
    expect(error).toEqual(instructionError('Immutable'));
  }
  expect(runSteps(created, [1_002n, freezeTable]).error).toEqual(
    instructionError('InvalidInstructionData'),
  );
});

test('a table can be closed 513 slots after its deactivation', () => {
  const deactivated: readonly [bigint, Instruction] = [2_000n, deactivateTable];
  const closeAt = (slot: bigint) => runSteps(created, extended, deactivated, [slot, closeTable()]);
  expect(closeAt(2_000n).logs[2]).toMatch(/deactivated in 513 blocks$/);
  expect(closeAt(2_512n).logs[2]).toMatch(/deactivated in 1 blocks$/);
  expect(closeAt(2_512n).error).toEqual(instructionError('InvalidArgument'));
  const { error, account } = closeAt(2_513n);
  expect(error).toBeUndefined();
  expect([account(TABLE).lamports, account(OTHER).lamports]).toEqual([0n, 1_726_080n]);
});

test('an active table cannot be closed, and a deactivated one cannot be changed', () => {
  expect(runSteps(created, [1_001n, closeTable()]).error).toEqual(
    instructionError('InvalidArgument'),
  );
  for (const instruction of [deactivateTable, freezeTable, extendTable(1)]) {
    const { error } = runSteps(created, extended, [2_000n, deactivateTable], [2_001n, instruction]);
    expect(error).toEqual(instructionError('InvalidArgument'));
  }
  const closedIntoItself = runSteps(
    created,
    [1_001n, deactivateTable],
    [2_000n, closeTable(TABLE)],
  );
  expect(closedIntoItself.error).toEqual(instructionError('InvalidArgument'));
});
