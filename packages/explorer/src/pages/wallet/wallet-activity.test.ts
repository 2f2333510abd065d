import { expect, test } from 'vitest';
import {
  type Activity,
  farmActivity,
  lendingActivity,
  mergeActivity,
  vaultActivity,
} from './wallet-activity.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

test('loan transactions of all markets are listed with their loans', () => {
  const transaction = {
    createdOn: '2026-01-01T12:00:00.000Z',
    timestamp: NOON,
    transactionSignature: 'S1',
    transactionName: 'borrowObligationLiquidity',
    transactionDisplayName: 'Borrow',
    liquidityToken: 'SOL',
    liquidityTokenMint: 'M',
    liquidityTokenAmount: '1.5',
    isLiquidationWithdrawal: false,
    obligationType: 'Vanilla',
  };
  const [activity] = lendingActivity([
    { market: 'A', obligations: { L: [transaction] }, withdrawQueueTransactions: [] },
  ]);
  expect(activity).toMatchObject({
    time: NOON,
    action: 'Borrow',
    amount: '1.5',
    symbol: 'SOL',
    value: undefined,
    kind: 'loan',
    account: 'L',
    signature: 'S1',
  });
});

test('an unknown instruction of a vault is shown as it is', () => {
  const transaction = (instruction: string) =>
    ({
      createdOn: '2026-01-01T12:00:00.000Z',
      instruction,
      kvault: 'V',
      transaction: 'S',
    }) as never;
  const actions = vaultActivity([transaction('buy'), transaction('migrate')]);
  expect(actions.map(({ action }) => action)).toEqual(['Vault deposit', 'migrate']);
  expect(actions[0]).toMatchObject({ time: NOON, kind: 'vault', account: 'V' });
});

test('instructions of farms are in words, without those that only follow a loan', () => {
  const transaction = {
    createdOn: '2026-01-01T12:00:00.000Z',
    transactionSignature: 'S',
    instruction: 'harvestReward',
    tokenAmount: '1',
    usdAmount: '2',
    farm: 'F',
    token: 'M',
  };
  const follows = { ...transaction, instruction: 'setStakeDelegated' };
  expect(farmActivity([follows, transaction]).map(({ action }) => action)).toEqual([
    'Harvest reward',
  ]);
});

test('the newest is first, and a list that cannot be read hides no other', () => {
  const at = (time: number) => ({ time }) as Activity;
  const merged = mergeActivity([[at(1), at(5)], undefined, [at(3)]]);
  expect(merged.map(({ time }) => time)).toEqual([5, 3, 1]);
});
