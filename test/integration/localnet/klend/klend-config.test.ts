import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { refreshReservesBatch } from '#core/protocol/klend/instructions/refresh-reserves-batch.ts';
import { reserveConfigModes } from '#core/protocol/klend/instructions/update-reserve-config.ts';
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
import { hasMainnetFixtures, readMainnet } from '../../../support/mainnet/mainnet-fixtures.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

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

/** Places of bytes that differ. */
const changedBytes = (a: Uint8Array, b: Uint8Array): number[] =>
  [...a.keys()].filter((i) => a[i] !== b[i]);

function bytesAfter(scene: LendingFlowVariant, address: Address): Uint8Array {
  const { error, live } = runVariant(scene);
  expect(error).toBeUndefined();
  return live.get(address).data;
}

test.each([
  ['config.status', MODES.status, [1]],
  ['config.status', MODES.status, [2]],
  ['config.depositLimit', MODES.depositLimit, [8, 7, 6, 5, 4, 3, 2, 1]],
  ['config.borrowLimit', MODES.borrowLimit, [18, 17, 16, 15, 14, 13, 12, 11]],
] as const)('%s lands in its bytes alone, and the reserve is stale', (path, mode, value) => {
  const refresh = refreshReservesInstruction(deposit, [usdc]);
  const change = updateConfigInstruction(deposit, { reserve: usdc, mode, value });
  const before = bytesAfter({ ...deposit, instructions: [refresh] }, usdc);
  const scene = { ...deposit, instructions: [refresh, change] };
  const after = bytesAfter(scene, usdc);
  const field = publishedField('klend.Reserve', path);
  const stale = publishedField('klend.Reserve', 'lastUpdate.stale');
  expect(field.size).toBe(value.length);
  const places = Array.from({ length: field.size }, (_, i) => field.offset + i);
  expect(changedBytes(before, after)).toEqual([stale.offset, ...places]);
  expect([...after.subarray(field.offset, field.offset + field.size)]).toEqual(value);
  expect([before[stale.offset], after[stale.offset]]).toEqual([0, 1]);
  expect([...runVariant(scene).live.changes().keys()]).toEqual([usdc]);
});

test('it brings the interest up to date as a refresh without prices does', () => {
  const remaining = [
    { address: usdc, role: 1 as const },
    { address: market, role: 0 as const },
  ];
  const args = { skipPriceUpdates: 1 };
  const refresh = refreshReservesBatch.build(KLEND_PROGRAM, { accounts: {}, args, remaining });
  const refreshed = bytesAfter({ ...deposit, instructions: [refresh] }, usdc);
  const changed = bytesAfter(onlyConfigChange(deposit, status(OBSOLETE_STATUS)), usdc);
  const places = ['lastUpdate.stale', 'config.status'].map(
    (path) => publishedField('klend.Reserve', path).offset,
  );
  expect(changedBytes(refreshed, changed)).toEqual(places);
  const debt = publishedField('klend.Reserve', 'liquidity.borrowedAmountSf').offset;
  const old = deposit.accounts.get(usdc)?.data ?? new Uint8Array();
  expect(changedBytes(old, changed)).toContain(debt);
});

test('it says what it changes', () => {
  const { logs } = runVariant(onlyConfigChange(deposit, status(OBSOLETE_STATUS)));
  const said = logs.filter((line) => line.startsWith('Program log: '));
  expect(said).toEqual([
    'Program log: Instruction: UpdateReserveConfig',
    `Program log: Updating reserve ${usdc} USDC config with mode UpdateReserveStatus`,
    `Program log: Market ${market} Main Market`,
    'Program log: Prv value: &mut reserve.config.status = Active',
    'Program log: New value: &mut reserve.config.status = Obsolete',
  ]);
});

test('bytes behind the value are ignored', () => {
  const value = [...eight(5), 9, 9, 9];
  const after = runVariant(
    onlyConfigChange(deposit, { ...status(value), mode: MODES.depositLimit }),
  );
  expect(after.error).toBeUndefined();
  expect(decodeReserveAt(after.live, usdc).config.depositLimit).toBe(5n);
});

const { depositLimit, borrowLimit } = MODES;

test.each<[string, number | string, Partial<ConfigChange>]>([
  ['another than the owner signs', 6005, { instead: { 0: { address: stranger } } }],
  ['the global admin signs for the owner', 6005, { instead: { 0: { address: ADMIN } } }],
  ['the owner changes what is for the global admin', 6005, { mode: 4, value: [10] }],
  ['the owner has not signed', 3010, { instead: { 0: { role: 0 } } }],
  ['the reserve is of another market', 2001, { instead: { 3: { address: otherReserve } } }],
  ['the reserve is read-only', 2000, { instead: { 3: { role: 0 } } }],
  ['the global settings are missing', 3007, { instead: { 1: { address: stranger } } }],
  ['the global settings are another account', 3002, { instead: { 1: { address: market } } }],
  ['the list of instructions is another account', 2012, { instead: { 4: { address: stranger } } }],
  ['the mode is the first that there is not', 102, { mode: 59 }],
  ['the mode is the last number', 102, { mode: 255 }],
  ['the last argument is neither true nor false', 102, { skip: 2 }],
  ['the last argument is missing', 102, { skip: undefined }],
  ['a status has no byte', 'BorshIoError', { value: [] }],
  [
    'a deposit limit has seven bytes',
    'BorshIoError',
    { mode: depositLimit, value: [1, 2, 3, 4, 5, 6, 7] },
  ],
  [
    'a borrow limit has seven bytes',
    'ProgramFailedToComplete',
    { mode: borrowLimit, value: [1, 2, 3, 4, 5, 6, 7] },
  ],
  ['there is no such status', 6004, { value: [3] }],
  ['the reserve is in use and its settings shall go unchecked', 6004, { skip: 1 }],
  ['the setting is deprecated', 'ProgramFailedToComplete', { mode: 24 }],
  ['the model has no such setting', 101, { mode: 0, value: [50] }],
  ['the model has none of the newest settings', 101, { mode: 58, value: eight(1) }],
])('refused without a trace: %s (%s)', (_, code, change) => {
  const scene = onlyConfigChange(deposit, { ...status(OBSOLETE_STATUS), ...change });
  expect(runError(scene)).toBe(code);
  expect(runVariant(scene).live.changes().size).toBe(0);
});

test('data that ends within the value is refused with 102', () => {
  const call = updateConfigInstruction(deposit, {
    reserve: usdc,
    mode: depositLimit,
    value: eight(1),
  });
  const cut = { ...call, data: call.data.subarray(0, call.data.length - 2) };
  expect(runError({ ...deposit, instructions: [cut] })).toBe(102);
});

test('the global settings are at their own address: 2006', () => {
  const account = deposit.accounts.get(globalConfigAddress());
  if (account === undefined) throw new Error('no settings');
  const scene = withAccount(deposit, stranger, account);
  const instead = { 1: { address: stranger } };
  expect(runError(onlyConfigChange(scene, { ...status(OBSOLETE_STATUS), instead }))).toBe(2006);
});

test('a setting that the model lacks is named in the log', () => {
  const { logs } = runVariant(
    onlyConfigChange(deposit, { reserve: usdc, mode: 32, value: eight(100) }),
  );
  const line = "Program log: This cluster's model of the program cannot do UpdateBorrowFactor";
  expect(logs).toContain(line);
});

test('an immutable market is refused with 6127, a reserve without a deposit with 6131', () => {
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

test('a reserve that is wound up takes no deposits and gives no loans: 6082', () => {
  expect(runError(deposit)).toBeUndefined();
  expect(runError(withConfigChange(deposit, status(OBSOLETE_STATUS)))).toBe(6082);
  expect(runError(borrow)).toBeUndefined();
  expect(runError(withConfigChange(borrow, { ...status(OBSOLETE_STATUS), reserve: sol }))).toBe(
    6082,
  );
});

test('a reserve that is hidden, or active again, takes deposits', () => {
  expect(runError(withConfigChange(deposit, status([2])))).toBeUndefined();
  expect(
    runError(withConfigChange(withConfigChange(deposit, status([0])), status(OBSOLETE_STATUS))),
  ).toBeUndefined();
});

test('limits count at once: 6090 for a deposit, 6089 for a loan', () => {
  const value = eight(1);
  expect(runError(withConfigChange(deposit, { reserve: usdc, mode: depositLimit, value }))).toBe(
    6090,
  );
  expect(runError(withConfigChange(borrow, { reserve: sol, mode: borrowLimit, value }))).toBe(6089);
});

test('a loan counts its deposit in a reserve that is wound up, and gets no more: 6084', () => {
  const place = publishedField('klend.Obligation', 'numOfObsoleteDepositReserves').offset;
  const positions = positionReserves(borrow.accounts, loan);
  expect(positions).toEqual([usdc]);
  const refreshes = [
    refreshReservesInstruction(borrow, positions),
    refreshObligationInstruction(borrow, loan, positions),
  ];
  const before = bytesAfter({ ...borrow, instructions: refreshes }, loan);
  const wound = updateConfigInstruction(borrow, status(OBSOLETE_STATUS));
  const after = bytesAfter({ ...borrow, instructions: [wound, ...refreshes] }, loan);
  expect([before[place], after[place]]).toEqual([0, 1]);
  expect(runError(withConfigChange(borrow, status(OBSOLETE_STATUS)))).toBe(6084);
});

test.skipIf(!hasMainnetFixtures)('modes are numbered as in the deployed interface', () => {
  const { types } = readMainnet('idl/klend_1.24.0_deployed_2026-08.json') as {
    readonly types: readonly {
      readonly name: string;
      readonly type: { readonly variants?: readonly { readonly name: string }[] };
    }[];
  };
  const found = types.find(({ name }) => name === 'UpdateConfigMode')?.type.variants;
  expect(reserveConfigModes).toEqual(found?.map(({ name }) => name));
});
