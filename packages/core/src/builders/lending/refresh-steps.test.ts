import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
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
import { bsfFromBits, ONE_BSF } from '../../base/numbers/big-scaled-fraction.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { simulateLending } from '../simulation/simulate-lending.ts';

const plain = reserveOfKind('plain');
const sol = reserveOfKind('sol');

const failureOf = (action: () => unknown): unknown => {
  const error = catchError(action);
  return { code: error?.code, ...error?.context };
};

describe('a state older than the loan', () => {
  const stale = { code: 'STALE_READ', slot: SLOT, minSlot: SLOT + 1n, retryAfterSeconds: 1 };

  const buildWithout = (slot: bigint) => {
    const loan = { deposits: [{ reserve: sol, amount: 1n }], slot };
    const wallet = { loan, reserves: [plain] };
    return prepareLendingRequest('deposit', { of: plain, amount: 1n }, wallet).build;
  };

  test('a reserve that is not indexed yet throws', () => {
    expect(failureOf(buildWithout(SLOT + 1n))).toEqual(stale);
  });

  test('a reserve that an indexed loan uses and that is not known is named', () => {
    const reason = 'no such reserve is known';
    expect(failureOf(buildWithout(SLOT))).toEqual({
      code: 'ACCOUNT_UNREADABLE',
      address: sol.address,
      reason,
    });
  });

  test('a debt newer than its reserve is used as is, and its preview throws', () => {
    const { liquidity } = sol.fields;
    const cumulativeBorrowRateBsf = {
      ...liquidity.cumulativeBorrowRateBsf,
      value: bsfFromBits(ONE_BSF - 1n),
    };
    const fields = { ...sol.fields, liquidity: { ...liquidity, cumulativeBorrowRateBsf } };
    const wallet = {
      loan: { borrows: [{ reserve: sol, amount: 5n }] },
      reserves: [{ ...sol, fields }],
    };
    const { request, context, build } = prepareLendingRequest(
      'repay',
      { of: sol, amount: 'all' },
      wallet,
    );
    expect(build().plan.pays[0]?.amount).toBe(5n);
    expect(failureOf(() => simulateLending('repay', request, context))).toEqual(stale);
  });
});

describe('oracles', () => {
  const pyth = exampleAddress('pyth');
  const NONE = toAddress('nu11111111111111111111111111111111111111111');

  /** The reserve with these oracles: Pyth, Switchboard price, Switchboard TWAP. */
  function withOracles(oracles: readonly [Address, Address, Address]): ExampleReserve {
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

  function oraclesOfRefresh(reserve: ExampleReserve): readonly Address[] | undefined {
    const { instructions } = buildLendingRequest(
      'deposit',
      { of: reserve, amount: 1n },
      { reserves: [reserve] },
    );
    const refresh = instructions.find(
      (_, i) => instructionNames({ instructions })[i] === 'refreshReserve',
    );
    return refresh?.accounts.slice(2).map(({ address }) => address);
  }

  const feed = exampleAddress('feed');
  const NO_ACCOUNT = KLEND_PROGRAM;

  test('that the reserve does not have are absent, for both null addresses', () => {
    const reserve = withOracles([pyth, NONE, plain.fields.farmDebt]);
    expect(oraclesOfRefresh(reserve)).toEqual([pyth, NO_ACCOUNT, NO_ACCOUNT, feed]);
  });

  test('a TWAP aggregator is passed only with its price aggregator', () => {
    const [price, twap] = [exampleAddress('aggregator'), exampleAddress('twap aggregator')];
    const both = withOracles([NONE, price, twap]);
    expect(oraclesOfRefresh(both)).toEqual([NO_ACCOUNT, price, twap, feed]);
    const disabled = withOracles([NONE, NONE, twap]);
    expect(oraclesOfRefresh(disabled)).toEqual([NO_ACCOUNT, NO_ACCOUNT, NO_ACCOUNT, feed]);
  });
});
