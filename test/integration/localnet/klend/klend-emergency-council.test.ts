import { expect, test } from 'vitest';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import type { ProgramRegistry } from '#localnet/runtime/program.ts';
import { currentPrograms, programsOf } from '../../../support/flows/current-programs.ts';
import {
  accountInSlot,
  runError,
  runVariant,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import { decodeReserveAt } from '../../../support/lending/refresh-instructions.ts';
import {
  type ConfigChange,
  configFlowVariant,
  MODES,
  OBSOLETE_STATUS,
  onlyConfigChange,
} from '../../../support/lending/reserve-config-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const { depositLimit, borrowLimit, status } = MODES;
const recorded = configFlowVariant('13');
const deposit = 'depositReserveLiquidityAndObligationCollateralV2';
const usdc = accountInSlot(recorded, deposit, 'reserve');
const market = accountInSlot(recorded, deposit, 'lendingMarket');
const council = numberedAddress(601);

const governed = withFields(recorded, [lendingMarket, market], (fields) => ({
  ...fields,
  emergencyCouncil: council,
}));

const eight = (last: number) => [last, 0, 0, 0, 0, 0, 0, 0];

const owners = (change: Partial<ConfigChange> = {}): ConfigChange => ({
  reserve: usdc,
  mode: status,
  value: OBSOLETE_STATUS,
  ...change,
});

const councils = (change: Partial<ConfigChange> = {}): ConfigChange => ({
  ...owners(change),
  replacedAccounts: { 0: { address: council } },
});

/** What the council may set, by number: the limits, the price, the emergency mode, the groups and the LTV. */
const COUNCIL_SETTINGS = [
  { mode: borrowLimit, value: eight(0), other: eight(1), since: '1.10' },
  { mode: 43, value: [1], other: [0], since: '1.10' },
  { mode: 56, value: [1], other: [0], since: '1.23' },
  { mode: 41, value: [1], other: [0], since: '1.23' },
  { mode: depositLimit, value: eight(0), other: eight(1), since: '1.23' },
  { mode: 0, value: [0], other: [1], since: '1.23' },
];

test.each(COUNCIL_SETTINGS)(
  'the emergency council can set $mode to $value only, since release $since: otherwise 6005',
  ({ mode, value, other, since }) => {
    const set = (to: readonly number[], programs: ProgramRegistry) =>
      runError(onlyConfigChange(governed, councils({ mode, value: to })), programs);
    expect(set(value, currentPrograms)).toBeUndefined();
    expect(set(other, currentPrograms)).toBe(6005);
    expect(set(value, programsOf('1.22'))).toBe(since === '1.10' ? undefined : 6005);
    // the value is decoded for any signer
    const short = value.slice(1);
    expect(set(short, currentPrograms)).toBe('ProgramFailedToComplete');
    const owner = onlyConfigChange(governed, owners({ mode, value: other }));
    expect(runError(owner, currentPrograms)).toBeUndefined();
  },
);

test('the emergency council can set nothing else: 6005', () => {
  expect(runError(onlyConfigChange(governed, councils()), currentPrograms)).toBe(6005);
  const basis = councils({ mode: 59, value: [1] });
  expect(runError(onlyConfigChange(governed, basis), currentPrograms)).toBe(6005);
});

test('the settings of the council change what they name', () => {
  const after = (mode: number, value: readonly number[]) => {
    const variant = onlyConfigChange(governed, councils({ mode, value }));
    return decodeReserveAt(runVariant(variant, currentPrograms).live, usdc).config;
  };
  expect(after(borrowLimit, eight(0)).borrowLimit).toBe(0n);
  expect(after(depositLimit, eight(0)).depositLimit).toBe(0n);
  expect(after(43, [1]).tokenInfo.blockPriceUsage).toBe(1);
  expect(after(56, [1]).emergencyMode).toBe(1);
  expect(after(41, [1]).disableUsageAsCollOutsideEmode).toBe(1);
  expect(after(0, [0]).loanToValuePct).toBe(0);
});

test('only the emergency mode of a reserve can be set in an immutable market: otherwise 6127', () => {
  const closed = withFields(governed, [lendingMarket, market], (fields) => ({
    ...fields,
    immutable: 1,
  }));
  for (const value of [[1], [0]]) {
    const change = onlyConfigChange(closed, owners({ mode: 56, value }));
    expect(runError(change, currentPrograms)).toBeUndefined();
  }
  const council56 = onlyConfigChange(closed, councils({ mode: 56, value: [1] }));
  expect(runError(council56, currentPrograms)).toBeUndefined();
  expect(runError(onlyConfigChange(closed, owners()), currentPrograms)).toBe(6127);
});

test('flags are 0 or 1: 6043', () => {
  for (const mode of [41, 43, 56]) {
    const change = onlyConfigChange(governed, owners({ mode, value: [2] }));
    expect(runError(change, currentPrograms)).toBe(6043);
  }
});

test('a change of a limit marks when it was crossed', () => {
  const crossed = (mode: number, programs: ProgramRegistry) => {
    const change = onlyConfigChange(governed, owners({ mode, value: eight(1) }));
    const { live, error } = runVariant(change, programs);
    expect(error).toBeUndefined();
    const { liquidity } = decodeReserveAt(live, usdc);
    return [liquidity.depositLimitCrossedTimestamp, liquidity.borrowLimitCrossedTimestamp];
  };
  const { unix } = governed.at;
  expect(crossed(depositLimit, currentPrograms)).toEqual([unix, 0n]);
  expect(crossed(borrowLimit, currentPrograms)).toEqual([0n, unix]);
  expect(crossed(depositLimit, programsOf('1.23'))).toEqual([0n, 0n]);
});
