import type { LoanReport } from '@tidegate/client';
import { expect, test } from 'vitest';
import {
  exampleLoan,
  examplePositions,
} from '../../../../../test/support/explorer/example-loans.ts';
import type { FigureRisk, RiskLevel } from '../../loans/liquidation-risk.ts';
import { mustConfirm, riskOf } from './preview-risk.ts';

const { SOL, USDC } = examplePositions;

/** A loan of SOL with a limit of 7500 USD. */
const loanWith = (debt: string) =>
  ({ loanInfo: exampleLoan([SOL], [{ ...USDC, value: debt }]) }) as unknown as LoanReport;

const figure = (level: RiskLevel, change: string) =>
  ({ level, figure: { symbol: change, change } }) as unknown as FigureRisk;

const risk = (debts: readonly [before: string | undefined, after: string], level: RiskLevel) => {
  const [before, after] = debts;
  const loans = {
    before: before === undefined ? undefined : loanWith(before),
    after: loanWith(after),
  };
  return riskOf([figure(level, '-0.1')], loans);
};

test('danger must be confirmed if the transaction brings the loan closer to it', () => {
  expect(mustConfirm(risk(['4000', '6000'], 'danger'))).toBe(true);
  expect(mustConfirm(risk([undefined, '6000'], 'danger'))).toBe(true);
  expect(mustConfirm(risk(['0', '6000'], 'danger'))).toBe(true);
  expect(mustConfirm(risk(['6000', '4000'], 'danger'))).toBe(false);
  expect(mustConfirm(risk(['4000', '6000'], 'warning'))).toBe(false);
  expect(mustConfirm(risk(['6000', '0'], 'danger'))).toBe(false);
});

test('a loan that can be liquidated at once is in danger without any move', () => {
  expect(risk(['4000', '7500'], 'none')).toMatchObject({ level: 'danger', isLiquidatable: true });
  expect(risk(['4000', '7499'], 'none')).toMatchObject({ level: 'none', isLiquidatable: false });
});

test('only close figures are shown, the closest first', () => {
  const figures = [figure('warning', '-0.2'), figure('none', '-0.5'), figure('danger', '0.05')];
  const { figures: shown } = riskOf(figures, { before: undefined, after: loanWith('1') });
  expect(shown.map((each) => each.figure.symbol)).toEqual(['0.05', '-0.2']);
});
