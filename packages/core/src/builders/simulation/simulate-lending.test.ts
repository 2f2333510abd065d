import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
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
import { toLamports } from '../../base/numbers/lamports.ts';
import { mulSfByRatio, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../base/time.ts';
import type { LendingActionKind } from '../lending/lending-request.ts';
import { simulateLending } from './simulate-lending.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');
const farmed = reserveOfKind('collateral farm');
const newer = reserveOfKind('token-2022');

function preview(
  intent: LendingActionKind,
  overrides: LendingRequestOverrides,
  wallet: ExampleWallet = {},
): SimulationOutcome {
  const { request, context } = prepareLendingRequest(intent, overrides, wallet);
  return simulateLending(intent, request, context);
}

const withConfig = (
  reserve: ExampleReserve,
  config: Partial<ExampleReserve['fields']['config']>,
) => ({
  ...reserve,
  fields: { ...reserve.fields, config: { ...reserve.fields.config, ...config } },
});

const rich = { deposits: [{ reserve: plain, amount: 10n ** 9n }] };

describe('a wallet with too little', () => {
  test('of the token is rejected by the token program', () => {
    const tokens = [{ reserve: plain, amount: 99n }];
    const {
      failure,
      tokens: moved,
      lamports,
    } = preview('deposit', { of: plain, amount: 100n }, { tokens });
    expect(failure).toMatchObject({ program: 'token', code: 1, name: 'InsufficientFunds' });
    expect({ moved, lamports }).toEqual({ moved: [], lamports: 0n });
  });

  test('of a Token-2022 token is rejected by Token-2022', () => {
    const { failure } = preview('deposit', { of: newer, amount: 100n });
    expect(failure).toMatchObject({ program: 'token2022', code: 1 });
  });

  test('SOL to wrap is rejected by the system program', () => {
    const wallet = { loan: rich, lamports: 1_000_000n };
    const { failure } = preview('deposit', { of: sol, amount: 1_000_000n }, wallet);
    expect(failure).toMatchObject({
      program: 'system',
      code: 1,
      figures: { unit: 'sol', needed: 3_039_280n, available: 1_000_000n },
    });
  });

  test('SOL for rent is rejected by the system program', () => {
    const { failure } = preview('deposit', { of: plain, amount: 1n }, { lamports: 30_000_000n });
    expect(failure).toMatchObject({ program: 'system', name: 'ResultWithNegativeLamports' });
  });

  test('of the token to repay has no token account', () => {
    const loan = { ...rich, borrows: [{ reserve: farmed, amount: 5n }] };
    const { failure } = preview('repay', { of: farmed, amount: 5n }, { loan });
    expect(failure).toMatchObject({ program: 'klend', code: 3012, name: 'AccountNotInitialized' });
  });
});

describe('the lending program', () => {
  test('rejects with its code and a reason', () => {
    const { failure, loan } = preview('borrow', { of: plain, amount: 10n ** 9n }, { loan: rich });
    expect(failure).toEqual({
      program: 'klend',
      code: 6013,
      name: 'BorrowTooLarge',
      message:
        'Borrow amount too large for deposited collateral: the amount plus its fee exceeds the limit',
      meaning: 'Borrow amount too large for deposited collateral',
      figures: expect.objectContaining({ unit: 'usd', account: plain.address }),
      maxAmount: expect.objectContaining({ mint: plain.fields.liquidity.mintPubkey, decimals: 6 }),
      suggestedAmount: expect.objectContaining({ decimals: 6 }),
    });
    expect(loan?.before?.depositedValueSf).toBeGreaterThan(0n);
    expect(loan?.after).toBeUndefined();
  });

  test('accepts the largest amount of a failure until the blockhash expires, and no more', () => {
    const borrows = (amount: bigint) => preview('borrow', { of: farmed, amount }, { loan: rich });
    const max = borrows(10n ** 12n).failure?.maxAmount?.amount ?? 0n;
    expect(max).toBeGreaterThan(0n);
    expect(borrows(max).failure).toBeUndefined();
    // A fraction of a cent of interest in 300 slots: by then the limit is what the failure says.
    const now = borrows(max + max / 1000n).failure;
    expect(now).toMatchObject({ name: 'BorrowTooLarge', maxAmount: { amount: max } });
  });

  test('suggests an amount that stays accepted if prices move by 0.5 % against the loan', () => {
    const amount = 10n ** 12n;
    const { failure } = preview('borrow', { of: farmed, amount }, { loan: rich });
    const suggested = failure?.suggestedAmount?.amount ?? 0n;
    const max = failure?.maxAmount?.amount ?? 0n;
    // no debt yet: the limit follows the ratio of both prices, 0.995 / 1.005
    expect(suggested).toBeLessThanOrEqual((max * 995n) / 1005n);
    // less the interest of minutes, which is below a thousandth, and cut to six digits
    expect(suggested).toBeGreaterThan((max * 989n) / 1000n);
    expect(suggested.toString()).toMatch(/^\d{1,6}0*$/);
    const withPrice = (reserve: ExampleReserve, factor: bigint): ExampleReserve => ({
      ...reserve,
      fields: {
        ...reserve.fields,
        liquidity: {
          ...reserve.fields.liquidity,
          marketPriceSf: mulSfByRatio(reserve.fields.liquidity.marketPriceSf, factor, 1000n),
        },
      },
    });
    const reserves = [withPrice(plain, 995n), withPrice(farmed, 1005n)];
    const borrowAt = (each: bigint) =>
      preview('borrow', { of: farmed, amount: each }, { loan: rich, reserves }).failure;
    expect(borrowAt(suggested)).toBeUndefined();
    expect(borrowAt(max)).toMatchObject({ name: 'BorrowTooLarge' });
  });

  test('suggests nothing to a loan that a move of 0.5 % would bring to its limit', () => {
    const most = preview('borrow', { of: farmed, amount: 10n ** 12n }, { loan: rich }).failure
      ?.maxAmount?.amount;
    const borrows = [{ reserve: farmed, amount: ((most ?? 0n) * 999n) / 1000n }];
    const { failure } = preview(
      'borrow',
      { of: farmed, amount: 10n ** 12n },
      { loan: { ...rich, borrows } },
    );
    expect(failure?.maxAmount?.amount).toBeGreaterThan(0n);
    expect(failure?.suggestedAmount?.amount).toBe(0n);
  });

  test('names the limit of a reserve and what it still takes', () => {
    // 1,499,999 tokens are supplied
    const limited = withConfig(plain, { depositLimit: toLamports(1_500_000n * 10n ** 6n) });
    const wallet = { tokens: [{ reserve: limited, amount: 10n ** 10n }], reserves: [limited] };
    const { failure } = preview('deposit', { of: limited, amount: 3_000_000n }, wallet);
    expect(failure).toMatchObject({
      name: 'DepositLimitExceeded',
      figures: {
        unit: 'token',
        account: limited.address,
        token: { decimals: 6 },
        needed: 3_000_000n,
        available: 1_000_000n,
        limit: 1_500_000_000_000n,
      },
    });
  });

  test('adds no account to the farm of an obsolete reserve', () => {
    const obsolete = withConfig(farmed, { status: 1 });
    const wallet = {
      loan: { deposits: [{ reserve: obsolete, amount: 5n }] },
      reserves: [obsolete],
    };
    const { failure } = preview('withdraw', { of: obsolete, amount: 'all' }, wallet);
    expect(failure).toMatchObject({ program: 'klend', code: 6082 });
    const existing = { ...wallet, farms: [farmed.fields.farmCollateral] };
    expect(preview('withdraw', { of: obsolete, amount: 'all' }, existing).failure).toBeUndefined();
  });

  test('rejects a token with an unsupported extension', () => {
    const mint = newer.fields.liquidity.mintPubkey;
    const { accounts } = prepareLendingRequest('deposit', { of: newer, amount: 1n }).context;
    const plainMint = accounts.get(mint);
    if (plainMint === undefined) throw new Error('the mint was not read');
    // After the padded mint: the account type, and extension 9 without data.
    const data = new Uint8Array(170);
    data.set(plainMint.data);
    data.set([1, 9], 165);
    const wallet = {
      tokens: [{ reserve: newer, amount: 5n }],
      more: [[mint, { ...plainMint, data }]] as const,
    };
    const { failure } = preview('deposit', { of: newer, amount: 5n }, wallet);
    expect(failure).toMatchObject({ program: 'klend', code: 6108 });
  });

  test('rejects a value that overflows', () => {
    const { liquidity } = plain.fields;
    const expensive = {
      ...plain.fields,
      liquidity: { ...liquidity, marketPriceSf: sfFromInt(1000n) },
    };
    const reserve = { ...plain, fields: expensive };
    const amount = 2n ** 64n - 2n * 10n ** 12n;
    const wallet = { tokens: [{ reserve, amount }], reserves: [reserve] };
    const { failure } = preview('deposit', { of: reserve, amount }, wallet);
    expect(failure).toMatchObject({ program: 'klend', code: 6007 });
  });
});

test('a first deposit without value is no success: the program panics', () => {
  const { liquidity } = plain.fields;
  const reserve = {
    ...plain,
    fields: { ...plain.fields, liquidity: { ...liquidity, marketPriceSf: sfFromInt(0n) } },
  };
  const wallet = { tokens: [{ reserve, amount: 100n }], reserves: [reserve] };
  const { failure } = preview('deposit', { of: reserve, amount: 100n }, wallet);
  expect(failure).toMatchObject({ program: 'klend', code: 6007 });
  expect(failure?.message).toMatch(/divides by a value of zero/);
});

describe('the balance changes', () => {
  test('count remaining wrapped SOL as a token, and wrapped lamports as SOL', () => {
    const loan = { ...rich, borrows: [{ reserve: sol, amount: 10n }] };
    const tokens = [{ reserve: sol, amount: 7n }];
    const { tokens: moved, lamports } = preview(
      'repay',
      { of: sol, amount: 50n },
      { loan, tokens },
    );
    expect(lamports).toBe(-50n);
    expect(moved.map(({ change }) => change)).toEqual([40n]);
  });

  test('include previously wrapped SOL, which is unwrapped as well', () => {
    const tokens = [{ reserve: sol, amount: 7n }];
    const { tokens: moved, lamports } = preview(
      'borrow',
      { of: sol, amount: 50n },
      { loan: rich, tokens },
    );
    expect(lamports).toBe(2_039_280n + 7n + 50n);
    expect(moved.map(({ change }) => change)).toEqual([-7n]);
  });

  test('include the rent of the loan, returned by the last withdrawal', () => {
    const tokens = [{ reserve: plain, amount: 0n }];
    const { lamports, loan } = preview(
      'withdraw',
      { of: plain, amount: 'all' },
      { loan: rich, tokens },
    );
    expect(lamports).toBe(24_165_120n);
    expect(loan?.after).toBeUndefined();
    expect(loan?.before?.deposits[0]?.depositedAmount).toBe(10n ** 9n);
  });

  test('of a first deposit include the rent, and there is no loan before', () => {
    const tokens = [{ reserve: plain, amount: 10n ** 6n }];
    const { lamports, loan } = preview('deposit', { of: plain, amount: 10n ** 6n }, { tokens });
    expect(lamports).toBe(-8_073_600n - 24_165_120n);
    expect(loan?.before).toBeUndefined();
    // 10^6 of 1499999000000 lamports for 1400000000000 cTokens
    expect(loan?.after?.deposits[0]?.depositedAmount).toBe(933_333n);
    expect(loan?.after?.lastUpdate).toMatchObject({ slot: SLOT, stale: 0 });
  });
});

test('a loan newer than the state is valued at its own slot', () => {
  const wallet = { loan: rich, slot: toSlot(SLOT - 1n) };
  const { loan } = preview('borrow', { of: plain, amount: 1n }, wallet);
  expect(loan?.before?.lastUpdate.slot).toBe(SLOT);
});

test('an invalid build has no preview', () => {
  expect(catchError(() => preview('borrow', { of: plain, amount: 1n }))?.code).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});
