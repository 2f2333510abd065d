import { describe, expect, test } from 'vitest';
import {
  type ExampleReserve,
  exampleAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import { SLOT } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { type Address, toAddress } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { bsfFromBits, ONE_BSF } from '../../base/numbers/big-scaled-fraction.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { simulateLending } from '../simulation/simulate-lending.ts';

const plain = reserveOfKind('plain');
const sol = reserveOfKind('sol');

const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof CodedError ? { code: error.code, ...error.context } : error;
  }
};

describe('state that is behind the loan', () => {
  const stale = { code: 'STALE_READ', slot: SLOT, wanted: SLOT + 1n, retryAfterSeconds: 1 };

  test('a reserve that is not known yet is waited for, never left out', () => {
    const loan = { deposits: [{ reserve: sol, amount: 1n }] };
    const { build } = prepareLendingRequest(
      'deposit',
      { of: plain, amount: 1n },
      { loan, reserves: [plain] },
    );
    expect(thrown(build)).toEqual(stale);
  });

  test('a debt that is newer than its reserve is taken as it is, and not forecast before both are known', () => {
    const { liquidity } = sol.fields;
    const cumulativeBorrowRateBsf = {
      ...liquidity.cumulativeBorrowRateBsf,
      value: bsfFromBits(ONE_BSF - 1n),
    };
    const fields = { ...sol.fields, liquidity: { ...liquidity, cumulativeBorrowRateBsf } };
    const made = {
      loan: { borrows: [{ reserve: sol, amount: 5n }] },
      reserves: [{ ...sol, fields }],
    };
    const { request, scene, build } = prepareLendingRequest(
      'repay',
      { of: sol, amount: 'all' },
      made,
    );
    expect(build().plan.pays[0]?.amount).toBe(5n);
    expect(thrown(() => simulateLending('repay', request, scene))).toEqual(stale);
  });
});

describe('oracles', () => {
  const pyth = exampleAddress('pyth');
  const NONE = toAddress('nu11111111111111111111111111111111111111111');

  /** With these in place of pyth's price, switchboard's price and its mean. */
  function reading(oracles: readonly [Address, Address, Address]): ExampleReserve {
    const [price, priceAggregator, twapAggregator] = oracles;
    const { tokenInfo } = plain.fields.config;
    const config = {
      ...plain.fields.config,
      tokenInfo: {
        ...tokenInfo,
        pythConfiguration: { price },
        switchboardConfiguration: { priceAggregator, twapAggregator },
      },
    };
    return { ...plain, fields: { ...plain.fields, config } };
  }

  test('that the reserve does not have are absent, by either word for none', () => {
    const reserve = reading([pyth, NONE, plain.fields.farmDebt]);
    const { instructions } = buildLendingRequest(
      'deposit',
      { of: reserve, amount: 1n },
      { reserves: [reserve] },
    );
    const refresh = instructions.find(
      (_, i) => instructionNames({ instructions })[i] === 'refreshReserve',
    );
    expect(refresh?.accounts.slice(2).map(({ address }) => address)).toEqual([
      pyth,
      KLEND_PROGRAM,
      KLEND_PROGRAM,
      exampleAddress('feed'),
    ]);
  });
});
