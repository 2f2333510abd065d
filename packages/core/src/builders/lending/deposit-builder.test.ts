import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_LOAN,
  EXAMPLE_WALLET,
  tokenAccountAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { obligationAddress } from '../../protocol/klend/pda.ts';
import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';

const sol = reserveOfKind('sol');
const farmed = reserveOfKind('collateral farm');
const plain = reserveOfKind('plain');

const ACTION = 'depositReserveLiquidityAndObligationCollateralV2';

describe('a new wallet', () => {
  test('gets all missing accounts, in the order of the contract', () => {
    const build = buildLendingRequest('deposit', { of: farmed, amount: 5_000_000n });
    expect(instructionNames(build)).toEqual([
      'createIdempotent',
      'initUserMetadata',
      'initObligation',
      'initObligationFarmsForReserve',
      'refreshReserve',
      'refreshObligation',
      ACTION,
    ]);
  });

  test('gets a plan with the payment and the created accounts', () => {
    const { plan } = buildLendingRequest('deposit', { of: farmed, amount: 5_000_000n });
    expect(plan.summary).toBe(`Deposit 5 T1 in the market ${MARKET}.`);
    expect(plan.creates.map(({ what, rentLamports }) => [what, rentLamports])).toEqual([
      ['token account for T1', 2_039_280n],
      ['user metadata', 8_073_600n],
      ['loan account', 24_165_120n],
      ['farm account for T1', 7_294_080n],
    ]);
    expect(plan.rentLamports).toBe(41_572_080n);
    const { mintPubkey: mint } = farmed.fields.liquidity;
    expect(plan.pays).toEqual([{ mint, decimals: 6, amount: 5_000_000n, certainty: 'at most' }]);
    expect(plan.notes).toHaveLength(2);
  });

  test('with user metadata gets only a loan', () => {
    const build = buildLendingRequest('deposit', { of: plain, amount: 1n }, { hasMetadata: true });
    expect(instructionNames(build)).toEqual([
      'createIdempotent',
      'initObligation',
      'refreshReserve',
      'refreshObligation',
      ACTION,
    ]);
  });

  test('gets its loan even if lamports were sent to its address', () => {
    const sent = { owner: SYSTEM_PROGRAM, lamports: 1n, data: new Uint8Array() };
    const build = buildLendingRequest(
      'deposit',
      { of: plain, amount: 1n },
      { more: [[EXAMPLE_LOAN, sent]] },
    );
    expect(instructionNames(build)).toContain('initObligation');
  });

  test('can use a loan of another kind and id', () => {
    const { mintPubkey: mint } = plain.fields.liquidity;
    const obligation = { kind: 'lending', mint, id: 7 } as const;
    const { instructions } = buildLendingRequest('deposit', { of: plain, amount: 1n, obligation });
    const obligationKey = { ...obligation, owner: EXAMPLE_WALLET, lendingMarket: MARKET };
    const init = instructions[2];
    expect(init?.accounts[2]?.address).toBe(obligationAddress(obligationKey));
    expect([...(init?.data.slice(8) ?? [])]).toEqual([2, 7]);
  });
});

describe('SOL', () => {
  const wrapping = ['createIdempotent', 'transfer', 'syncNative'];
  const loan = { deposits: [{ reserve: sol, amount: 10n }] };

  test('is wrapped, and the emptied account is closed', () => {
    const build = buildLendingRequest('deposit', { of: sol, amount: 9n }, { loan });
    expect(instructionNames(build)).toEqual([
      ...wrapping,
      'refreshReserve',
      'refreshObligation',
      ACTION,
      'closeAccount',
    ]);
    const [closed] = build.plan.closes;
    expect(closed).toMatchObject({ address: tokenAccountAddress(sol), refundLamports: 2_039_280n });
  });

  test('that was already wrapped stays wrapped', () => {
    const tokens = [{ reserve: sol, amount: 1_500_000_000n }];
    const build = buildLendingRequest('deposit', { of: sol, amount: 9n }, { loan, tokens });
    expect(instructionNames(build)).toEqual([
      ...wrapping,
      'refreshReserve',
      'refreshObligation',
      ACTION,
    ]);
    expect(build.plan.notes.slice(1)).toEqual([
      'The 1.5 SOL that were already wrapped stay wrapped.',
    ]);
  });

  test('in an existing but empty account: the account is closed', () => {
    const tokens = [{ reserve: sol, amount: 0n }];
    const build = buildLendingRequest('deposit', { of: sol, amount: 9n }, { loan, tokens });
    expect(instructionNames(build).at(-1)).toBe('closeAccount');
    expect(build.plan.creates).toEqual([]);
  });
});

test('a requested compute budget comes first', () => {
  const budget = { computeUnitLimit: 400_000, computeUnitPrice: 1000n };
  const build = buildLendingRequest('deposit', { of: plain, amount: 1n, ...budget });
  expect(instructionNames(build).slice(0, 3)).toEqual([
    'setComputeUnitLimit',
    'setComputeUnitPrice',
    'createIdempotent',
  ]);
});

test.each(['all', 0n, -1n, 2n ** 64n - 1n, 2n ** 64n] as const)('%s is not a deposit', (amount) => {
  expect(catchError(prepareLendingRequest('deposit', { of: plain, amount }).build)?.code).toBe(
    'NOTHING_TO_BUILD',
  );
});
