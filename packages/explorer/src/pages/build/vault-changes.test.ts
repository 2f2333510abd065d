import type { Preview } from '@tidegate/client';
import { expect, test } from 'vitest';
import {
  comparePositions,
  isMovedToFarm,
  positionAfter,
  type SharePosition,
} from './vault-changes.ts';

const SHARES = 'share mint';
const position = (staked: string, unstaked: string, total: string): SharePosition => ({
  staked,
  unstaked,
  total,
});

type Example = {
  readonly paid?: string;
  readonly received?: string;
  readonly certainty?: string;
  /** Change of the shares in the wallet. */
  readonly change?: string;
  readonly steps?: readonly string[];
  readonly success?: boolean;
};

function preview(example: Example): Preview {
  const { paid, received, certainty = 'exactly', change, steps = [], success = true } = example;
  const movesOf = (uiAmount: string | undefined) =>
    uiAmount === undefined ? [] : [{ mint: SHARES, decimals: 6, uiAmount, certainty }];
  return {
    success,
    tokenChanges: change === undefined ? [] : [{ mint: SHARES, uiChange: change }],
    plan: {
      pays: movesOf(paid),
      receives: movesOf(received),
      steps: steps.map((name) => ({ name })),
    },
  } as unknown as Preview;
}

test('a deposit that is staked adds to the stake, with the shares of the wallet', () => {
  const after = preview({ received: '5', change: '-2', steps: ['deposit', 'stake'] });
  expect(positionAfter(position('10', '2', '12'), after, 'vault-deposit')).toEqual(
    position('17', '0', '17'),
  );
});

test('a deposit without a farm stays in the wallet', () => {
  const after = preview({ received: '5', change: '5' });
  expect(positionAfter(position('0', '2', '2'), after, 'vault-deposit')).toEqual(
    position('0', '7', '7'),
  );
});

test('shares that leave the wallet with a deposit are moved to the farm', () => {
  const staked = preview({ received: '5', change: '-2', steps: ['deposit', 'stake'] });
  expect(isMovedToFarm(staked, SHARES)).toBe(true);
  expect(isMovedToFarm(staked, 'another mint')).toBe(false);
});

test('shares that a withdrawal pays, or that come into the wallet, are not moved to the farm', () => {
  const paid = preview({ paid: '2', change: '-2', steps: ['withdraw'] });
  const received = preview({ received: '5', change: '5', steps: ['deposit'] });
  expect([isMovedToFarm(paid, SHARES), isMovedToFarm(received, SHARES)]).toEqual([false, false]);
});

test('a withdrawal takes shares of the wallet first', () => {
  const after = preview({ paid: '2', change: '-2', steps: ['withdraw'] });
  expect(positionAfter(position('10', '3', '13'), after, 'vault-withdraw')).toEqual(
    position('10', '1', '11'),
  );
});

test('a withdrawal unstakes what the wallet lacks', () => {
  const steps = ['unstake', 'withdrawUnstakedDeposits', 'withdraw'];
  const after = preview({ paid: '7', change: '-3', steps });
  expect(positionAfter(position('10', '3', '13'), after, 'vault-withdraw')).toEqual(
    position('6', '0', '6'),
  );
});

test('a full exit leaves nothing, also no part of the smallest unit', () => {
  const steps = ['unstake', 'withdrawUnstakedDeposits', 'withdraw'];
  const after = preview({ paid: '10.123456', steps });
  const before = position('10.12345678', '0', '10.12345678');
  expect(positionAfter(before, after, 'vault-withdraw')).toEqual(position('0', '0', '0'));
});

test('what reserves cannot pay out stays in the wallet', () => {
  const steps = ['unstake', 'withdrawUnstakedDeposits', 'withdraw'];
  const after = preview({ paid: '10', certainty: 'at most', change: '4', steps });
  expect(positionAfter(position('10', '0', '10'), after, 'vault-withdraw')).toEqual(
    position('0', '4', '4'),
  );
});

test('with shares that were unstaked earlier, the stake afterwards is not known', () => {
  const steps = ['withdrawUnstakedDeposits', 'unstake', 'withdrawUnstakedDeposits', 'withdraw'];
  const after = preview({ paid: '10', steps });
  expect(positionAfter(position('8', '0', '8'), after, 'vault-withdraw')).toEqual({
    staked: undefined,
    unstaked: '0',
    total: undefined,
  });
});

test('a transaction that fails has no position afterwards', () => {
  const after = preview({ received: '5', success: false });
  expect(positionAfter(position('1', '0', '1'), after, 'vault-deposit')).toBeUndefined();
});

test('figures that change are marked, and the value follows the shares', () => {
  const context = { value: { tokensPerShare: '1.1', sharePrice: '2.2' }, symbol: 'USDC' };
  const shown = (...positions: readonly SharePosition[]) =>
    comparePositions(positions, context).map(({ name, values, isChanged }) => [
      name,
      ...values.map((value) => value?.short),
      isChanged,
    ]);
  expect(shown(position('10', '0', '10'), position('20', '0', '20'))).toEqual([
    ['Shares', '10', '20', true],
    ['Staked', '10', '20', true],
    ['In the wallet', '0', '0', false],
    ['Worth in tokens', '11\u00a0USDC', '22\u00a0USDC', true],
    ['Value', '$22', '$44', true],
  ]);
  const same = shown(position('10', '0', '10'), position('0', '10', '10'));
  expect(same.map(([name, , , isChanged]) => [name, isChanged])).toEqual([
    ['Shares', false],
    ['Staked', true],
    ['In the wallet', true],
    ['Worth in tokens', false],
    ['Value', false],
  ]);
});
