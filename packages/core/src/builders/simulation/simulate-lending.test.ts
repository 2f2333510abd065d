import { describe, expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import type {
  ExampleReserve,
  ExampleWallet,
} from '../../../../../test/support/lending/example-lending.ts';
import { SLOT } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  type LendingRequestOverrides,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../base/time.ts';
import type { LendingActionKind } from '../lending/lending-request.ts';
import { simulateLending } from './simulate-lending.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');
const farmed = reserveOfKind('collateral farm');
const newer = reserveOfKind('token-2022');

function forecast(
  intent: LendingActionKind,
  ask: LendingRequestOverrides,
  made: ExampleWallet = {},
): SimulationOutcome {
  const { request, scene } = prepareLendingRequest(intent, ask, made);
  return simulateLending(intent, request, scene);
}

const changed = (reserve: ExampleReserve, config: Partial<ExampleReserve['fields']['config']>) => ({
  ...reserve,
  fields: { ...reserve.fields, config: { ...reserve.fields.config, ...config } },
});

const rich = { deposits: [{ reserve: plain, amount: 10n ** 9n }] };

describe('a wallet with too little', () => {
  test('of the token is refused by the token program', () => {
    const tokens = [{ reserve: plain, amount: 99n }];
    const {
      failure,
      tokens: moved,
      lamports,
    } = forecast('deposit', { of: plain, amount: 100n }, { tokens });
    expect(failure).toMatchObject({ program: 'token', code: 1, name: 'InsufficientFunds' });
    expect({ moved, lamports }).toEqual({ moved: [], lamports: 0n });
  });

  test('of a token of Token-2022 by that one', () => {
    const { failure } = forecast('deposit', { of: newer, amount: 100n });
    expect(failure).toMatchObject({ program: 'token2022', code: 1 });
  });

  test('of SOL to wrap is refused by the system program', () => {
    const made = { loan: rich, lamports: 1_000_000n };
    const { failure } = forecast('deposit', { of: sol, amount: 1_000_000n }, made);
    expect(failure).toMatchObject({
      program: 'system',
      code: 1,
      message: 'The wallet has 1000000 lamports, and 3039280 are needed beside the fee',
    });
  });

  test('of SOL for rent, too', () => {
    const { failure } = forecast('deposit', { of: plain, amount: 1n }, { lamports: 30_000_000n });
    expect(failure).toMatchObject({ program: 'system', name: 'ResultWithNegativeLamports' });
  });

  test('to repay with has no account for it', () => {
    const loan = { ...rich, borrows: [{ reserve: farmed, amount: 5n }] };
    const { failure } = forecast('repay', { of: farmed, amount: 5n }, { loan });
    expect(failure).toMatchObject({ program: 'klend', code: 3012, name: 'AccountNotInitialized' });
  });
});

describe('the lending program', () => {
  test('refuses with its code and says why', () => {
    const { failure, loan } = forecast('borrow', { of: plain, amount: 10n ** 9n }, { loan: rich });
    expect(failure).toEqual({
      program: 'klend',
      code: 6013,
      name: 'BorrowTooLarge',
      message:
        'Borrow amount too large for deposited collateral: with its fee it is more than what is left',
    });
    expect(loan?.before?.depositedValueSf).toBeGreaterThan(0n);
    expect(loan?.after).toBeUndefined();
  });

  test('takes nobody new into the farm of a reserve that is wound up', () => {
    const obsolete = changed(farmed, { status: 1 });
    const made = { loan: { deposits: [{ reserve: obsolete, amount: 5n }] }, reserves: [obsolete] };
    const { failure } = forecast('withdraw', { of: obsolete, amount: 'all' }, made);
    expect(failure).toMatchObject({ program: 'klend', code: 6082 });
    const there = { ...made, farms: [farmed.fields.farmCollateral] };
    expect(forecast('withdraw', { of: obsolete, amount: 'all' }, there).failure).toBeUndefined();
  });

  test('refuses a token that cannot be transferred freely', () => {
    const mint = newer.fields.liquidity.mintPubkey;
    const { accounts } = prepareLendingRequest('deposit', { of: newer, amount: 1n }).scene;
    const plainMint = accounts.get(mint);
    if (plainMint === undefined) throw new Error('the mint was not read');
    // behind the padded mint: it is one, and of extension 9 there are no bytes but its type
    const data = new Uint8Array(170);
    data.set(plainMint.data);
    data.set([1, 9], 165);
    const made = {
      tokens: [{ reserve: newer, amount: 5n }],
      more: [[mint, { ...plainMint, data }]] as const,
    };
    const { failure } = forecast('deposit', { of: newer, amount: 5n }, made);
    expect(failure).toMatchObject({ program: 'klend', code: 6108 });
  });

  test('counts no value that does not fit', () => {
    const { liquidity } = plain.fields;
    const dear = { ...plain.fields, liquidity: { ...liquidity, marketPriceSf: sfFromInt(1000n) } };
    const reserve = { ...plain, fields: dear };
    const amount = 2n ** 64n - 2n * 10n ** 12n;
    const made = { tokens: [{ reserve, amount }], reserves: [reserve] };
    const { failure } = forecast('deposit', { of: reserve, amount }, made);
    expect(failure).toMatchObject({ program: 'klend', code: 6007 });
  });
});

describe('what moves', () => {
  test('wrapped SOL that stays is a token, what is wrapped is SOL', () => {
    const loan = { ...rich, borrows: [{ reserve: sol, amount: 10n }] };
    const tokens = [{ reserve: sol, amount: 7n }];
    const { tokens: moved, lamports } = forecast(
      'repay',
      { of: sol, amount: 50n },
      { loan, tokens },
    );
    expect(lamports).toBe(-50n);
    expect(moved.map(({ change }) => change)).toEqual([40n]);
  });

  test('wrapped SOL of before is unwrapped with what arrives', () => {
    const tokens = [{ reserve: sol, amount: 7n }];
    const { tokens: moved, lamports } = forecast(
      'borrow',
      { of: sol, amount: 50n },
      { loan: rich, tokens },
    );
    expect(lamports).toBe(2_039_280n + 7n + 50n);
    expect(moved.map(({ change }) => change)).toEqual([-7n]);
  });

  test('the rent of a loan comes back with its last withdrawal', () => {
    const tokens = [{ reserve: plain, amount: 0n }];
    const { lamports, loan } = forecast(
      'withdraw',
      { of: plain, amount: 'all' },
      { loan: rich, tokens },
    );
    expect(lamports).toBe(24_165_120n);
    expect(loan?.after).toBeUndefined();
    expect(loan?.before?.deposits[0]?.depositedAmount).toBe(10n ** 9n);
  });

  test('a first deposit pays rent, and there is no loan before it', () => {
    const tokens = [{ reserve: plain, amount: 10n ** 6n }];
    const { lamports, loan } = forecast('deposit', { of: plain, amount: 10n ** 6n }, { tokens });
    expect(lamports).toBe(-8_073_600n - 24_165_120n);
    expect(loan?.before).toBeUndefined();
    // 10^6 of 1499999000000 lamports for 1400000000000 cTokens
    expect(loan?.after?.deposits[0]?.depositedAmount).toBe(933_333n);
    expect(loan?.after?.lastUpdate).toMatchObject({ slot: SLOT, stale: 0 });
  });
});

test('a loan that is ahead of state is counted at its own slot', () => {
  const made = { loan: rich, slot: toSlot(SLOT - 1n) };
  const { loan } = forecast('borrow', { of: plain, amount: 1n }, made);
  expect(loan?.before?.lastUpdate.slot).toBe(SLOT);
});

test('where there is nothing to build there is nothing to tell', () => {
  expect(errorCode(() => forecast('borrow', { of: plain, amount: 1n }))).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});
