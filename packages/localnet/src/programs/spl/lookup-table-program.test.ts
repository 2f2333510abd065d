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
import {
  firstInstructionError,
  NOW,
  runNative,
  walletAccount,
} from '../../../../../test/support/localnet/run-native.ts';
import { withRole } from '../../../../../test/support/localnet/token-accounts.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';

const PROGRAM = ADDRESS_LOOKUP_TABLE_PROGRAM;
const AUTHORITY = numberedAddress(1);
const PAYER = numberedAddress(2);
const OTHER = numberedAddress(3);
const BORN = toSlot(999n);
const { address: TABLE, bump } = lookupTableAddress(AUTHORITY, BORN);
const payer = [PAYER, walletAccount()] as const;

const creating = (changed: { slot?: bigint; table?: Address; bump?: number } = {}) =>
  createLookupTable.build(PROGRAM, {
    accounts: {
      ...{ lookupTable: changed.table ?? TABLE, authority: AUTHORITY },
      ...{ payer: PAYER, systemProgram: SYSTEM_PROGRAM },
    },
    args: { recentSlot: toSlot(changed.slot ?? BORN), bump: changed.bump ?? bump },
  });

const extending = (count: number, authority = AUTHORITY) =>
  extendLookupTable.build(PROGRAM, {
    accounts: { lookupTable: TABLE, authority, payer: PAYER, systemProgram: SYSTEM_PROGRAM },
    args: {},
    list: Array.from({ length: count }, (_, i) => numberedAddress(100 + i)),
  });

const accounts = { lookupTable: TABLE, authority: AUTHORITY };
const freezing = freezeLookupTable.build(PROGRAM, { accounts, args: {} });
const deactivating = deactivateLookupTable.build(PROGRAM, { accounts, args: {} });
const closing = (recipient: Address = OTHER) =>
  closeLookupTable.build(PROGRAM, { accounts: { ...accounts, recipient }, args: {} });

/** Runs them in one slot on what those before left; the last one is told of. */
function play(...steps: readonly (readonly [slot: bigint, ...Instruction[]])[]) {
  let table: ClusterAccount | undefined;
  let last = runNative([payer], []);
  for (const [slot, ...instructions] of steps) {
    const before = table === undefined ? [payer] : [payer, [TABLE, table] as const];
    last = runNative(before, instructions, { ...NOW, slot: toSlot(slot) });
    table = last.account(TABLE);
  }
  return { ...last, table: () => addressLookupTable.decode(last.account(TABLE)) };
}

const made: readonly [bigint, Instruction] = [1_000n, creating()];
const filled: readonly [bigint, Instruction] = [1_001n, extending(2)];

test('a table starts empty, at the address of a recent slot', () => {
  const { error, table, account, logs } = play(made);
  expect(error).toBeUndefined();
  expect(table()).toMatchObject({
    ...{ deactivationSlot: 18_446_744_073_709_551_615n, lastExtendedSlot: 0n },
    ...{ authorityTag: 1, authority: AUTHORITY, addresses: [] },
  });
  expect(account(TABLE).lamports).toBe(1_280_640n);
  expect(logs[1]).toBe('Program log: Instruction: CreateLookupTable');
});

test('one that is there is left as it is', () => {
  const { error, table } = play(made, filled, made);
  expect(error).toBeUndefined();
  expect(table().addresses).toHaveLength(2);
});

test.each([
  ['a slot to come', 'InvalidInstructionData', creating({ slot: 1_001n })],
  ['a slot long ago', 'InvalidInstructionData', creating({ slot: 487n })],
  ['another address', 'InvalidArgument', creating({ table: OTHER })],
  ['another bump', 'InvalidArgument', creating({ bump: bump - 1 })],
  ['a payer who did not sign', 'MissingRequiredSignature', withRole(creating(), PAYER, READ)],
] as const)('no table is made of %s', (_, error, instruction) => {
  expect(play([1_000n, instruction]).error).toEqual(firstInstructionError(error));
});

test('addresses are added behind, and paid for', () => {
  const { error, table, account } = play(made, filled);
  expect(error).toBeUndefined();
  expect(table()).toMatchObject({
    ...{ lastExtendedSlot: 1_001n, lastExtendedSlotStartIndex: 0 },
    addresses: [numberedAddress(100), numberedAddress(101)],
  });
  expect(account(TABLE).lamports).toBe(1_726_080n);
});

test('the first index of a slot is that of its first addition', () => {
  const { table } = play(made, filled, [1_005n, extending(1), extending(3)]);
  expect(table()).toMatchObject({ lastExtendedSlot: 1_005n, lastExtendedSlotStartIndex: 2 });
  expect(table().addresses).toHaveLength(6);
});

test('a table has at most 256 addresses', () => {
  const full = Array.from({ length: 8 }, () => extending(32));
  expect(play(made, [1_001n, ...full]).error).toBeUndefined();
  expect(play(made, [1_001n, ...full], [1_002n, extending(1)]).error).toEqual(
    firstInstructionError('InvalidArgument'),
  );
  const almost = full.slice(1);
  const over = play(made, [1_001n, ...almost], [1_002n, extending(33)]);
  expect(over.error).toEqual(firstInstructionError('InvalidInstructionData'));
  expect(over.logs).toContain(
    'Program log: Extended lookup table length 257 would exceed max capacity of 256',
  );
});

test.each([0, 39])('%i addresses at once are refused', (count) => {
  expect(play(made, [1_001n, extending(count)]).error).toEqual(
    firstInstructionError('InvalidInstructionData'),
  );
});

test('only its authority changes a table', () => {
  expect(play(made, [1_001n, extending(1, OTHER)]).error).toEqual(
    firstInstructionError('IncorrectAuthority'),
  );
  expect(play(made, [1_001n, withRole(extending(1), AUTHORITY, READ)]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
  expect(play([1_001n, extending(1)]).error).toEqual(firstInstructionError('InvalidAccountOwner'));
});

test('a frozen table is for ever', () => {
  const frozen = play(made, filled, [1_002n, freezing]);
  expect(frozen.error).toBeUndefined();
  expect(frozen.table().authorityTag).toBe(0);
  for (const instruction of [freezing, extending(1), deactivating, closing()]) {
    const { error } = play(made, filled, [1_002n, freezing], [1_003n, instruction]);
    expect(error).toEqual(firstInstructionError('Immutable'));
  }
  expect(play(made, [1_002n, freezing]).error).toEqual(
    firstInstructionError('InvalidInstructionData'),
  );
});

test('a table is closed 513 slots after it was taken out of use', () => {
  const ended: readonly [bigint, Instruction] = [2_000n, deactivating];
  const wait = (slot: bigint) => play(made, filled, ended, [slot, closing()]);
  expect(wait(2_000n).logs[2]).toMatch(/deactivated in 513 blocks$/);
  expect(wait(2_512n).logs[2]).toMatch(/deactivated in 1 blocks$/);
  expect(wait(2_512n).error).toEqual(firstInstructionError('InvalidArgument'));
  const { error, account } = wait(2_513n);
  expect(error).toBeUndefined();
  expect([account(TABLE).lamports, account(OTHER).lamports]).toEqual([0n, 1_726_080n]);
});

test('one in use is not closed, and one out of use not changed', () => {
  expect(play(made, [1_001n, closing()]).error).toEqual(firstInstructionError('InvalidArgument'));
  for (const instruction of [deactivating, freezing, extending(1)]) {
    const { error } = play(made, filled, [2_000n, deactivating], [2_001n, instruction]);
    expect(error).toEqual(firstInstructionError('InvalidArgument'));
  }
  const into = play(made, [1_001n, deactivating], [2_000n, closing(TABLE)]);
  expect(into.error).toEqual(firstInstructionError('InvalidArgument'));
});
