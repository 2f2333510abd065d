import { describe, expect, test } from 'vitest';
import { loadExampleContext } from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_LOOKUP_TABLE,
  EXAMPLE_REFERRER,
  EXAMPLE_WALLET,
  exampleLending,
  lookupTableAccount,
  tokenAccountAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { sfFromBps } from '../../base/numbers/scaled-fraction.ts';
import { referrerTokenState } from '../../protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { borrowBuilder } from './borrow-builder.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');
const farmed = reserveOfKind('debt farm');

const loan = { deposits: [{ reserve: plain, amount: 10n ** 9n }] };
const ACTION = 'borrowObligationLiquidityV2';

test('a wallet without a loan throws', () => {
  expect(catchError(prepareLendingRequest('borrow', { of: plain, amount: 1n }).build)?.code).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});

test('the debt farm of the reserve is used', () => {
  const { instructions } = buildLendingRequest('borrow', { of: farmed, amount: 5n }, { loan });
  const init = instructions.find((_, i) =>
    instructionNames({ instructions })[i]?.startsWith('initOblig'),
  );
  expect(init?.accounts[5]?.address).toBe(farmed.fields.farmDebt);
  expect(init?.data.at(-1)).toBe(1);
});

describe('SOL', () => {
  test('is unwrapped', () => {
    const build = buildLendingRequest('borrow', { of: sol, amount: 5n }, { loan });
    expect(instructionNames(build)).toEqual([
      'createIdempotent',
      'refreshReserve',
      'refreshReserve',
      'refreshObligation',
      ACTION,
      'closeAccount',
    ]);
    expect(build.plan.closes[0]).toMatchObject({
      address: tokenAccountAddress(sol),
      refundLamports: 2_039_285n,
    });
  });

  test('that was already wrapped is unwrapped as well, with a note', () => {
    const tokens = [{ reserve: sol, amount: 2_000_000_000n }];
    const { plan } = buildLendingRequest('borrow', { of: sol, amount: 5n }, { loan, tokens });
    expect(plan.closes[0]?.refundLamports).toBe(2_002_039_285n);
    expect(plan.notes).toContain('The 2 SOL that were already wrapped are unwrapped as well.');
  });
});

describe('with a referrer', () => {
  const referred = { loan: { ...loan, referrer: EXAMPLE_REFERRER }, referrer: EXAMPLE_REFERRER };
  const state = referrerTokenStateAddress(EXAMPLE_REFERRER, plain.address);

  test("the referrer's account is created before any refresh", () => {
    const build = buildLendingRequest('borrow', { of: plain, amount: 5n }, referred);
    expect(instructionNames(build).slice(0, 3)).toEqual([
      'createIdempotent',
      'initReferrerTokenState',
      'refreshReserve',
    ]);
    expect(build.plan.creates.at(-1)).toMatchObject({ address: state, rentLamports: 3_396_480n });
    expect(build.instructions.at(-1)?.accounts[9]).toEqual({ address: state, role: 1 });
  });

  test("the referrer's account is not created twice", () => {
    const data = new Uint8Array(referrerTokenState.size);
    data.set(referrerTokenState.discriminator);
    const existing = { owner: KLEND_PROGRAM, lamports: 1n, data };
    const build = buildLendingRequest(
      'borrow',
      { of: plain, amount: 5n },
      { ...referred, more: [[state, existing]] },
    );
    expect(instructionNames(build)).not.toContain('initReferrerTokenState');
    expect(build.instructions.at(-1)?.accounts[9]).toEqual({ address: state, role: 1 });
  });

  test('the first build takes two reads; with cached metadata, one', () => {
    const wallet = {
      ...referred,
      lookupTable: EXAMPLE_LOOKUP_TABLE,
      more: [[EXAMPLE_LOOKUP_TABLE, lookupTableAccount([])]] as const,
    };
    const overrides = { of: plain, amount: 5n };
    expect(prepareLendingRequest('borrow', overrides, wallet).reads).toBe(2);
    const walletMetadata = { lookupTable: EXAMPLE_LOOKUP_TABLE, referrer: EXAMPLE_REFERRER };
    const request = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: plain.address, amount: 5n };
    const cached = loadExampleContext(borrowBuilder, request, {
      ...exampleLending(wallet),
      walletMetadata,
    });
    expect(cached.reads).toBe(1);
    expect(cached.context.accounts.has(state)).toBe(true);
  });

  test('the referrer of the loan takes precedence over that of the wallet', () => {
    const build = buildLendingRequest(
      'borrow',
      { of: plain, amount: 5n },
      { loan, referrer: EXAMPLE_REFERRER },
    );
    expect(instructionNames(build)).not.toContain('initReferrerTokenState');
    expect(build.instructions.at(-1)?.accounts[9]?.address).toBe(KLEND_PROGRAM);
  });
});

describe('the plan', () => {
  const { config } = plain.fields;
  const fees = { ...config.fees, originationFeeSf: sfFromBps(10n) };
  const charging = { ...plain, fields: { ...plain.fields, config: { ...config, fees } } };

  test('notes the fee that is added to the debt', () => {
    const { plan } = buildLendingRequest(
      'borrow',
      { of: charging, amount: 5_000_000n },
      { loan, reserves: [charging] },
    );
    expect(plan.notes[0]).toBe('A fee of 0.005 T8 is added to the debt.');
  });

  test('notes the whole fee if a referrer receives a part', () => {
    const wallet = { loan: { ...loan, referrer: EXAMPLE_REFERRER }, reserves: [charging] };
    const { plan } = buildLendingRequest('borrow', { of: charging, amount: 5_000_000n }, wallet);
    expect(plan.notes[0]).toBe('A fee of 0.005 T8 is added to the debt.');
  });

  test('is created even if the fee exceeds the loan: the program rejects it', () => {
    const { plan } = buildLendingRequest(
      'borrow',
      { of: charging, amount: 1n },
      { loan, reserves: [charging] },
    );
    expect(plan.notes[0]).toBe('The debt grows with interest until it is repaid.');
  });

  test('has the exact received amount', () => {
    const { plan } = buildLendingRequest('borrow', { of: plain, amount: 5_000_000n }, { loan });
    expect(plan.summary).toBe(`Borrow 5 T8 from the market ${MARKET}.`);
    expect(plan.receives.map(({ amount, certainty }) => [amount, certainty])).toEqual([
      [5_000_000n, 'exactly'],
    ]);
  });
});
