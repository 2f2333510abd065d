import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  type ExampleReserve,
  tokenAccountAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import {
  curve,
  emptyMarket,
  MARKET,
} from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import type { Build } from '../build.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');

const ACTION = 'repayObligationLiquidityV2';
const withDebt = (reserve: typeof sol, amount: bigint) => ({
  loan: { borrows: [{ reserve, amount }] },
});

const wrappedLamports = ({ instructions }: Build): bigint | undefined => {
  const transfer = instructions[1];
  return transfer && new DataView(transfer.data.buffer).getBigUint64(4, true);
};

test('no account is created for a token other than SOL, and the repayment is last', () => {
  const build = buildLendingRequest('repay', { of: plain, amount: 5n }, withDebt(plain, 10n));
  expect(instructionNames(build)).toEqual(['refreshReserve', 'refreshObligation', ACTION]);
  expect(build.plan.creates).toEqual([]);
});

test('a wallet without a loan throws', () => {
  expect(catchError(prepareLendingRequest('repay', { of: plain, amount: 1n }).build)?.code).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});

test('in an elevation group all deposits are appended', () => {
  const deposits = [{ reserve: plain, amount: 5n }];
  const loan = { ...withDebt(sol, 10n).loan, deposits, elevationGroup: 1 };
  const { instructions } = buildLendingRequest('repay', { of: sol, amount: 5n }, { loan });
  expect(instructions.at(-2)?.accounts.at(-1)).toEqual({ address: plain.address, role: 1 });
});

describe('the whole debt', () => {
  test('is U64_MAX for the program', () => {
    const { instructions, plan } = buildLendingRequest(
      'repay',
      { of: plain, amount: 'all' },
      withDebt(plain, 7n),
    );
    expect(instructions.at(-1)?.data.slice(8)).toEqual(new Uint8Array(8).fill(255));
    expect(plan.summary).toBe(`Repay the whole T8 debt to the market ${MARKET}.`);
    expect(plan.pays.map(({ amount, certainty }) => [amount, certainty])).toEqual([[7n, 'about']]);
  });

  test('throws without a debt; a fixed amount is left to the program', () => {
    expect(
      catchError(
        prepareLendingRequest('repay', { of: plain, amount: 'all' }, withDebt(sol, 7n)).build,
      )?.code,
    ).toBe('NOTHING_TO_BUILD');
    expect(
      instructionNames(
        buildLendingRequest('repay', { of: plain, amount: 7n }, withDebt(sol, 7n)),
      ).at(-1),
    ).toBe(ACTION);
  });

  test('in SOL wraps a million lamports more than the debt, and unwraps the rest', () => {
    const build = buildLendingRequest(
      'repay',
      { of: sol, amount: 'all' },
      withDebt(sol, 3_000_000_000n),
    );
    expect(wrappedLamports(build)).toBe(3_001_000_000n);
    expect(build.plan.closes[0]).toMatchObject({
      address: tokenAccountAddress(sol),
      refundLamports: 3_039_280n,
    });
  });

  test('that grows by more until landing wraps the amount at landing', () => {
    const { config } = sol.fields;
    // 100 % a year in 63072000 slots: 300 of them add 476 lamports to 10^8
    const borrowRateCurve = curve([
      [0, 10_000],
      [10_000, 10_000],
    ]);
    const expensive = { ...config, borrowRateCurve, hostFixedInterestRateBps: 0 };
    const reserve = { ...sol, fields: { ...sol.fields, config: expensive } };
    const wallet = { ...withDebt(reserve, 10n ** 12n), reserves: [reserve] };
    const wrapped =
      wrappedLamports(buildLendingRequest('repay', { of: reserve, amount: 'all' }, wallet)) ?? 0n;
    expect(wrapped - 10n ** 12n).toBeGreaterThanOrEqual(4_756_468n);
    expect(wrapped - 10n ** 12n).toBeLessThan(4_756_600n);
  });
});

describe('an amount', () => {
  test('in SOL is wrapped exactly', () => {
    const build = buildLendingRequest('repay', { of: sol, amount: 5n }, withDebt(sol, 10n));
    expect(instructionNames(build)).toEqual([
      'createIdempotent',
      'transfer',
      'syncNative',
      'refreshReserve',
      'refreshObligation',
      ACTION,
      'closeAccount',
    ]);
    expect(wrappedLamports(build)).toBe(5n);
  });

  test('above the debt is passed on, with a note', () => {
    const { instructions, plan } = buildLendingRequest(
      'repay',
      { of: plain, amount: 12n },
      withDebt(plain, 10n),
    );
    expect(instructions.at(-1)?.data[8]).toBe(12);
    expect(plan.pays[0]?.certainty).toBe('at most');
    expect(plan.notes[0]).toBe('The debt is 0.00001 T8 now; no more than that is repaid.');
  });

  test('below the debt is paid exactly', () => {
    const { plan } = buildLendingRequest('repay', { of: plain, amount: 9n }, withDebt(plain, 10n));
    expect(plan.pays[0]).toMatchObject({ amount: 9n, certainty: 'exactly' });
    expect(plan.notes.filter((note) => note.includes('debt'))).toEqual([]);
  });

  test('in SOL above the debt, with wrapped SOL: the rest stays wrapped', () => {
    const wallet = { ...withDebt(sol, 10n), tokens: [{ reserve: sol, amount: 1_000_000_000n }] };
    const { plan } = buildLendingRequest('repay', { of: sol, amount: 2_000_000_010n }, wallet);
    expect(plan.closes).toEqual([]);
    expect(plan.notes.at(-1)).toBe(
      'The 1 SOL that were already wrapped stay wrapped. The unused rest, about 2 SOL, also stays wrapped.',
    );
  });
});

test('only operations that need a permission have a note about it', () => {
  const { fields } = plain;
  const ruled = {
    ...plain,
    fields: { ...fields, config: { ...fields.config, permissionedOps: 2n } },
  };
  const wallet = {
    loan: {
      deposits: [{ reserve: sol, amount: 10n ** 9n }],
      borrows: [{ reserve: ruled, amount: 50n }],
    },
    tokens: [{ reserve: ruled, amount: 100n }],
    reserves: [ruled, sol],
    market: { ...emptyMarket(), permissioningAuthority: MARKET },
  };
  const notesOf = (intent: 'repay' | 'borrow', of: ExampleReserve) =>
    buildLendingRequest(intent, { of, amount: 10n }, wallet).plan.notes.filter((note) =>
      note.includes('permissioning authority'),
    );
  expect(notesOf('borrow', ruled)).toHaveLength(1);
  expect(notesOf('repay', ruled)).toEqual([]);
  expect(notesOf('borrow', sol)).toEqual([]);
});
