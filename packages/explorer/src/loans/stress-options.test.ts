import { expect, test } from 'vitest';
import {
  exampleLoan,
  examplePositions,
  stakedSolGroup,
} from '../../../../test/support/explorer/example-loans.ts';
import { linkTokens } from './linked-prices.ts';
import { stressOptions } from './stress-options.ts';

const { SOL, JitoSOL, JLP, USDC } = examplePositions;

const optionsOf = (...positions: Parameters<typeof exampleLoan>) =>
  stressOptions(
    linkTokens({ loanInfo: exampleLoan(...positions), elevationGroup: 0 }, [stakedSolGroup]),
  ).map(({ title, tokens, what }) => [title, tokens.map(({ symbol }) => symbol).join(' '), what]);

test('unlinked tokens change alone, or all collateral at once', () => {
  expect(optionsOf([SOL, JLP], [USDC])).toEqual([
    ['All collateral', 'SOL JLP', 'the prices of all collateral'],
    ['SOL', 'SOL', 'the price of SOL'],
    ['JLP', 'JLP', 'the price of JLP'],
    ['USDC', 'USDC', 'the price of USDC'],
  ]);
});

test('if all tokens are linked, a ratio comes first', () => {
  expect(optionsOf([JitoSOL], [SOL]).map(([title]) => title)).toEqual([
    'JitoSOL',
    'SOL',
    'JitoSOL and SOL together',
  ]);
});

test('a debt that is linked to collateral changes with it', () => {
  expect(optionsOf([SOL, JLP], [JitoSOL, USDC]).slice(0, 2)).toEqual([
    ['All collateral', 'SOL JitoSOL JLP', 'the prices of all collateral, and JitoSOL with it'],
    ['SOL and JitoSOL together', 'SOL JitoSOL', 'the prices of SOL and JitoSOL'],
  ]);
});

test('a loan without positions has nothing to change', () => {
  expect(optionsOf([], [])).toEqual([]);
});
