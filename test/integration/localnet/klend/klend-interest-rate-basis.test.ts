import { expect, test } from 'vitest';
import { bytesToHex } from '#core/base/encoding/bytes.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import {
  reserveConfigModes,
  updateReserveConfig,
} from '#core/protocol/klend/instructions/administration.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { currentPrograms, programsOf } from '../../../support/flows/current-programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  runError,
  runVariant,
  withChanges,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeReserveAt,
  refreshReservesInstruction,
} from '../../../support/lending/refresh-instructions.ts';
import {
  ADMIN,
  configFlowVariant,
  onlyConfigChange,
  updateConfigInstruction,
} from '../../../support/lending/reserve-config-instructions.ts';
import { referenceRefresh } from '../../../support/reference/reference-accrual.ts';

const recorded = configFlowVariant('13');
const name = 'depositReserveLiquidityAndObligationCollateralV2';
const reserve = accountInSlot(recorded, name, 'reserve');
const terms = { referralFeeBps: 0, reserveRewardsMaxAprBps: 0 };

const BASIS_MODE = 59;
const setBasis = (value: number) => ({ reserve, mode: BASIS_MODE, value: [value] });

const withStoredBasis = (interestRateBasis: number): LendingFlowVariant =>
  withFields(recorded, [reserveLayout, reserve], ({ config, ...rest }) => ({
    ...rest,
    config: { ...config, interestRateBasis },
  }));

/** Runs in another slot and second. */
const later = (
  variant: LendingFlowVariant,
  slots: bigint,
  seconds: bigint,
): LendingFlowVariant => ({
  ...variant,
  at: {
    slot: toSlot(variant.at.slot + slots),
    unix: toUnixSeconds(variant.at.unix + seconds),
  },
});

test.each([0, 1])('the basis TrueApr can be set on a reserve with the basis %i', (basis) => {
  const variant = onlyConfigChange(withStoredBasis(basis), setBasis(1));
  const { live, error, logs } = runVariant(variant, currentPrograms);
  expect(error).toBeUndefined();
  const { config, lastUpdate } = decodeReserveAt(live, reserve);
  expect(config.interestRateBasis).toBe(1);
  expect(lastUpdate).toMatchObject({
    slot: variant.at.slot,
    stale: 1,
    timestamp: Number(variant.at.unix),
  });
  const names = ['Legacy', 'TrueApr'];
  expect(logs).toContain(
    `Program log: Prv value: &mut reserve.config.interest_rate_basis = ${names[basis]}`,
  );
});

test.each([0, 1])('no other basis can be set on a reserve with the basis %i: 6004', (basis) => {
  for (const value of [0, 2, 255]) {
    const variant = onlyConfigChange(withStoredBasis(basis), setBasis(value));
    expect(runError(variant, currentPrograms)).toBe(6004);
  }
});

test('only the owner of the market can set it: 6005', () => {
  const byAdmin = { ...setBasis(1), replacedAccounts: { 0: { address: ADMIN } } };
  expect(runError(onlyConfigChange(recorded, byAdmin), currentPrograms)).toBe(6005);
});

test('release 1.24 does not know the setting: 102', () => {
  expect(runError(onlyConfigChange(recorded, setBasis(1)), programsOf('1.24'))).toBe(102);
  const next = { ...setBasis(1), mode: 60 };
  expect(runError(onlyConfigChange(recorded, next), currentPrograms)).toBe(102);
});

test('until the switch slots are charged, then seconds', () => {
  const [first, second] = [later(recorded, 900n, 250n), later(recorded, 2_000n, 800n)];
  const switched = runVariant(onlyConfigChange(first, setBasis(1)), currentPrograms).live;
  const next = { ...withChanges(second, switched), at: second.at };
  const instructions = [refreshReservesInstruction(next, [reserve])];
  const { live, error } = runVariant({ ...next, instructions }, currentPrograms);
  expect(error).toBeUndefined();
  const before = referenceRefresh(decodeReserveAt(recorded.accounts, reserve), first.at, terms);
  const expected = referenceRefresh(
    { ...before, config: { ...before.config, interestRateBasis: 1 } },
    second.at,
    terms,
  );
  const after = decodeReserveAt(live, reserve).liquidity;
  expect(after.borrowedAmountSf).toBe(expected.liquidity.borrowedAmountSf);
  expect(after.cumulativeBorrowRateBsf.value).toBe(
    expected.liquidity.cumulativeBorrowRateBsf.value,
  );
  expect(expected.liquidity.borrowedAmountSf).toBeGreaterThan(before.liquidity.borrowedAmountSf);
});

test('a reserve with an unknown basis makes every refresh panic, before release 1.25 none', () => {
  const variant = withStoredBasis(2);
  const instructions = [refreshReservesInstruction(variant, [reserve])];
  expect(runError({ ...variant, instructions }, currentPrograms)).toBe('ProgramFailedToComplete');
  expect(runError({ ...variant, instructions }, programsOf('1.24'))).toBeUndefined();
});

test('the instruction of mainnet is read as a change of the basis', () => {
  const { data } = updateConfigInstruction(recorded, setBasis(1));
  expect(bytesToHex(data)).toBe('3d9464468f6b110d3b010000000100');
  const accounts = updateConfigInstruction(recorded, setBasis(1)).accounts;
  const addresses = accounts.map(({ address }) => address);
  const { args, list } = updateReserveConfig.decode(KLEND_PROGRAM, { data, accounts: addresses });
  expect([reserveConfigModes[args.mode], [...list]]).toEqual(['UpdateInterestRateBasis', [1]]);
  expect(reserveConfigModes[57]).toBe('UpdateRewardsAmountPerAccrualUnit');
});

test('the rewards per slot or second are set without another check', () => {
  const value = [7, 0, 0, 0, 0, 0, 0, 0];
  const variant = onlyConfigChange(recorded, { reserve, mode: 57, value });
  const { live, error } = runVariant(variant, currentPrograms);
  expect(error).toBeUndefined();
  expect(decodeReserveAt(live, reserve).config.rewardsAmountPerAccrualUnit).toBe(7n);
});
