import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { reserveConfigModes } from '#core/protocol/klend/instructions/administration.ts';
import { refreshReservesBatch } from '#core/protocol/klend/instructions/refresh.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { globalConfigAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  runError,
  runVariant,
  withAccount,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeReserveAt,
  positionReserves,
  refreshObligationInstruction,
  refreshReservesInstruction,
} from '../../../support/lending/refresh-instructions.ts';
import {
  ADMIN,
  type ConfigChange,
  configFlowVariant,
  MODES,
  OBSOLETE_STATUS,
  onlyConfigChange,
  publishedField,
  updateConfigInstruction,
  withConfigChange,
} from '../../../support/lending/reserve-config-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { deployedInterfaces } from '../../../support/protocol/deployed-interfaces.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const BORROW = 'borrowObligationLiquidityV2';

const deposit = configFlowVariant('13');
const borrow = configFlowVariant('02');
const usdc = accountInSlot(deposit, DEPOSIT, 'reserve');
const market = accountInSlot(deposit, DEPOSIT, 'lendingMarket');
const sol = accountInSlot(borrow, BORROW, 'borrowReserve');
const loan = accountInSlot(borrow, BORROW, 'obligation');
const otherReserve = accountInSlot(configFlowVariant('16'), DEPOSIT, 'reserve');
const stranger = numberedAddress(77);

const status = (value: readonly number[]): ConfigChange => ({
  reserve: usdc,
  mode: MODES.status,
  value,
});
const eight = (last: number) => [last, 0, 0, 0, 0, 0, 0, 0];

/** Offsets of the bytes that differ. */
const changedBytes = (a: Uint8Array, b: Uint8Array): number[] =>
  [...a.keys()].filter((i) => a[i] !== b[i]);

function bytesAfter(variant: LendingFlowVariant, address: Address): Uint8Array {
  const { error, live } = runVariant(variant);
  expect(error).toBeUndefined();
  return live.get(address).data;
}

test.each([
  ['config.status', MODES.status, [1]],
  ['config.status', MODES.status, [2]],
  ['config.depositLimit', MODES.depositLimit, [8, 7, 6, 5, 4, 3, 2, 1]],
  ['config.borrowLimit', MODES.borrowLimit, [18, 17, 16, 15, 14, 13, 12, 11]],
] as const)('%s changes its own bytes only and marks the reserve stale', (path, mode, value) => {
  const refresh = refreshReservesInstruction(deposit, [usdc]);
  const change = updateConfigInstruction(deposit, { reserve: usdc, mode, value });
  const before = bytesAfter({ ...deposit, instructions: [refresh] }, usdc);
  const variant = { ...deposit, instructions: [refresh, change] };
  const after = bytesAfter(variant, usdc);
  const field = publishedField('klend.Reserve', path);
  const stale = publishedField('klend.Reserve', 'lastUpdate.stale');
  expect(field.size).toBe(value.length);
  const offsets = Array.from({ length: field.size }, (_, i) => field.offset + i);
  expect(changedBytes(before, after)).toEqual([stale.offset, ...offsets]);
  expect([...after.subarray(field.offset, field.offset + field.size)]).toEqual(value);
  expect([before[stale.offset], after[stale.offset]]).toEqual([0, 1]);
  expect([...runVariant(variant).live.changes().keys()]).toEqual([usdc]);
});

test('a change accrues interest like a refresh without prices', () => {
  const remaining = [
    { address: usdc, role: 1 as const },
    { address: market, role: 0 as const },
  ];
  const args = { skipPriceUpdates: 1 };
  const refresh = refreshReservesBatch.build(KLEND_PROGRAM, { accounts: {}, args, remaining });
  const refreshed = bytesAfter({ ...deposit, instructions: [refresh] }, usdc);
  const changed = bytesAfter(onlyConfigChange(deposit, status(OBSOLETE_STATUS)), usdc);
  const offsets = ['lastUpdate.stale', 'config.status'].map(
    (path) => publishedField('klend.Reserve', path).offset,
  );
  expect(changedBytes(refreshed, changed)).toEqual(offsets);
  const debt = publishedField('klend.Reserve', 'liquidity.borrowedAmountSf').offset;
  const old = deposit.accounts.get(usdc)?.data ?? new Uint8Array();
  expect(changedBytes(old, changed)).toContain(debt);
});

test('a change is logged', () => {
  const { logs } = runVariant(onlyConfigChange(deposit, status(OBSOLETE_STATUS)));
  const logged = logs.filter((line) => line.startsWith('Program log: '));
  expect(logged).toEqual([
    'Program log: Instruction: UpdateReserveConfig',
    `Program log: Updating reserve ${usdc} USDC config with mode UpdateReserveStatus`,
    `Program log: Market ${market} Main Market`,
    'Program log: Prv value: &mut reserve.config.status = Active',
    'Program log: New value: &mut reserve.config.status = Obsolete',
  ]);
});

test('bytes after the value are ignored', () => {
  const value = [...eight(5), 9, 9, 9];
  const after = runVariant(
    onlyConfigChange(deposit, { ...status(value), mode: MODES.depositLimit }),
  );
  expect(after.error).toBeUndefined();
  expect(decodeReserveAt(after.live, usdc).config.depositLimit).toBe(5n);
});

const { depositLimit, borrowLimit } = MODES;

test.each<[string, number | string, Partial<ConfigChange>]>([
  ['a signer other than the owner', 6005, { replacedAccounts: { 0: { address: stranger } } }],
  ['the global admin for an owner setting', 6005, { replacedAccounts: { 0: { address: ADMIN } } }],
  ['the owner for a global admin setting', 6005, { mode: 4, value: [10] }],
  ['a missing signature of the owner', 3010, { replacedAccounts: { 0: { role: 0 } } }],
  ['a reserve of another market', 2001, { replacedAccounts: { 3: { address: otherReserve } } }],
  ['a read-only reserve', 2000, { replacedAccounts: { 3: { role: 0 } } }],
  ['a missing global config', 3007, { replacedAccounts: { 1: { address: stranger } } }],
  ['another account as global config', 3002, { replacedAccounts: { 1: { address: market } } }],
  [
    'another account as instructions sysvar',
    2012,
    { replacedAccounts: { 4: { address: stranger } } },
  ],
  ['the first unknown mode', 102, { mode: 59 }],
  ['the last possible mode', 102, { mode: 255 }],
  ['a last argument that is not a boolean', 102, { skip: 2 }],
  ['a missing last argument', 102, { skip: undefined }],
  ['a status without value', 'BorshIoError', { value: [] }],
  [
    'a deposit limit of seven bytes',
    'BorshIoError',
    { mode: depositLimit, value: [1, 2, 3, 4, 5, 6, 7] },
  ],
  [
    'a borrow limit of seven bytes',
    'ProgramFailedToComplete',
    { mode: borrowLimit, value: [1, 2, 3, 4, 5, 6, 7] },
  ],
  ['an unknown status', 6004, { value: [3] }],
  ['a reserve in use without validation', 6004, { skip: 1 }],
  ['a deprecated setting', 'ProgramFailedToComplete', { mode: 24 }],
  ['a setting that is not modelled', 101, { mode: 1, value: [50, 0] }],
  ['a new setting that is not modelled', 101, { mode: 58, value: eight(1) }],
])('fails without changes: %s (%s)', (_, code, change) => {
  const variant = onlyConfigChange(deposit, { ...status(OBSOLETE_STATUS), ...change });
  expect(runError(variant)).toBe(code);
  expect(runVariant(variant).live.changes().size).toBe(0);
});

test('truncated data fails with 102', () => {
  const call = updateConfigInstruction(deposit, {
    reserve: usdc,
    mode: depositLimit,
    value: eight(1),
  });
  const cut = { ...call, data: call.data.subarray(0, call.data.length - 2) };
  expect(runError({ ...deposit, instructions: [cut] })).toBe(102);
});

test('the global config must have its derived address: 2006', () => {
  const account = deposit.accounts.get(globalConfigAddress());
  if (account === undefined) throw new Error('no settings');
  const variant = withAccount(deposit, stranger, account);
  const replacedAccounts = { 1: { address: stranger } };
  expect(
    runError(onlyConfigChange(variant, { ...status(OBSOLETE_STATUS), replacedAccounts })),
  ).toBe(2006);
});

test('a setting that is not modelled is named in the log', () => {
  const { logs } = runVariant(
    onlyConfigChange(deposit, { reserve: usdc, mode: 32, value: eight(100) }),
  );
  const line = "Program log: This cluster's model of the program cannot do UpdateBorrowFactor";
  expect(logs).toContain(line);
});

test('an immutable market fails with 6127, a reserve without deposit with 6131', () => {
  const closed = withFields(deposit, [lendingMarket, market], (fields) => ({
    ...fields,
    immutable: 1,
  }));
  expect(runError(onlyConfigChange(closed, status(OBSOLETE_STATUS)))).toBe(6127);
  const holding = (available: bigint, mintTotalSupply: bigint) =>
    withFields(deposit, [reserve, usdc], ({ liquidity, collateral, ...fields }) => ({
      ...fields,
      liquidity: { ...liquidity, totalAvailableAmount: toLamports(available) },
      collateral: { ...collateral, mintTotalSupply },
    }));
  expect(runError(onlyConfigChange(holding(0n, 0n), status(OBSOLETE_STATUS)))).toBe(6131);
  expect(runError(onlyConfigChange(holding(1n, 0n), status(OBSOLETE_STATUS)))).toBeUndefined();
  expect(runError(onlyConfigChange(holding(0n, 1n), status(OBSOLETE_STATUS)))).toBeUndefined();
});

test('an obsolete reserve accepts no deposits and lends nothing: 6082', () => {
  expect(runError(deposit)).toBeUndefined();
  expect(runError(withConfigChange(deposit, status(OBSOLETE_STATUS)))).toBe(6082);
  expect(runError(borrow)).toBeUndefined();
  expect(runError(withConfigChange(borrow, { ...status(OBSOLETE_STATUS), reserve: sol }))).toBe(
    6082,
  );
});

test('a hidden or reactivated reserve accepts deposits', () => {
  expect(runError(withConfigChange(deposit, status([2])))).toBeUndefined();
  expect(
    runError(withConfigChange(withConfigChange(deposit, status([0])), status(OBSOLETE_STATUS))),
  ).toBeUndefined();
});

test('limits apply at once: 6090 for a deposit, 6089 for a loan', () => {
  const value = eight(1);
  expect(runError(withConfigChange(deposit, { reserve: usdc, mode: depositLimit, value }))).toBe(
    6090,
  );
  expect(runError(withConfigChange(borrow, { reserve: sol, mode: borrowLimit, value }))).toBe(6089);
});

test('a deposit in an obsolete reserve counts as collateral but allows no new loan: 6084', () => {
  const index = publishedField('klend.Obligation', 'numOfObsoleteDepositReserves').offset;
  const positions = positionReserves(borrow.accounts, loan);
  expect(positions).toEqual([usdc]);
  const refreshes = [
    refreshReservesInstruction(borrow, positions),
    refreshObligationInstruction(borrow, loan, positions),
  ];
  const before = bytesAfter({ ...borrow, instructions: refreshes }, loan);
  const obsolete = updateConfigInstruction(borrow, status(OBSOLETE_STATUS));
  const after = bytesAfter({ ...borrow, instructions: [obsolete, ...refreshes] }, loan);
  expect([before[index], after[index]]).toEqual([0, 1]);
  expect(runError(withConfigChange(borrow, status(OBSOLETE_STATUS)))).toBe(6084);
});

test('modes have the numbers of the deployed interface', () => {
  expect(reserveConfigModes).toEqual(deployedInterfaces.klend.updateConfigModes);
});
