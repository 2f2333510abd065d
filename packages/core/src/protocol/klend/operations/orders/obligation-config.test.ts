import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleObligation,
  USDC_RESERVE,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import type { Obligation } from '../../layout/obligation.ts';
import { setObligationConfig } from './obligation-config.ts';

type Settings = Obligation['borrows'][number]['fixedTermBorrowRolloverConfig'];
type Mode = Parameters<typeof setObligationConfig>[2]['mode'];

/** The example loan, whose debt is rolled over and migrated. */
function loan(settings: Partial<Settings> = {}): Obligation {
  const example = exampleObligation();
  const borrows = example.borrows.map((each) => ({
    ...each,
    fixedTermBorrowRolloverConfig: {
      ...each.fixedTermBorrowRolloverConfig,
      autoRolloverEnabled: 1,
      migrationToFixedEnabled: 1,
      maxBorrowRateBps: 500,
      minDebtTermSeconds: 86_400n,
      ...settings,
    },
  }));
  return { ...example, borrows };
}

function set(obligation: Obligation, change: readonly [Mode, bigint], isEnabled = true) {
  const [mode, value] = change;
  const market = {
    ...emptyMarket(),
    obligationBorrowRolloverConfigurationEnabled: isEnabled ? 1 : 0,
  };
  const after = setObligationConfig(obligation, { market }, { reserve: USDC_RESERVE, mode, value });
  return after.borrows[0]?.fixedTermBorrowRolloverConfig;
}

test('one of two can be switched off in a market that has disabled the settings', () => {
  expect(set(loan(), ['FixedTermRolloverEnabled', 0n], false)).toMatchObject({
    autoRolloverEnabled: 0,
    migrationToFixedEnabled: 1,
  });
  expect(set(loan(), ['MigrationToFixedEnabled', 0n], false)).toMatchObject({
    autoRolloverEnabled: 1,
    migrationToFixedEnabled: 0,
  });
});

test.each([
  ['FixedTermRolloverEnabled', 1n],
  ['MigrationToFixedEnabled', 1n],
  ['FixedTermRolloverOpenTermAllowed', 0n],
  ['FixedTermRolloverWindowDurationDays', 0n],
] as const)('%s = %i cannot be set there', (mode, value) => {
  expect(() => set(loan(), [mode, value], false)).toThrow(/BorrowRolloverConfigurationDisabled/);
});

test('a window needs a term if the debt is rolled over', () => {
  const openTerm = { migrationToFixedEnabled: 0, minDebtTermSeconds: 0n };
  const window = ['FixedTermRolloverWindowDurationDays', 3n] as const;
  expect(() => set(loan(openTerm), window)).toThrow(/InvalidConfig/);
  expect(() => set(loan({ ...openTerm, autoRolloverEnabled: 0 }), window)).not.toThrow();
  expect(() => set(loan({ migrationToFixedEnabled: 0 }), window)).not.toThrow();
  const withWindow = loan({ ...openTerm, fixedTermRolloverWindowDurationDays: 3 });
  expect(() => set(withWindow, ['FixedTermRolloverEnabled', 1n])).toThrow(/InvalidConfig/);
  expect(() => set(withWindow, ['FixedTermRolloverEnabled', 0n])).not.toThrow();
});
