import { describe, expect, test } from 'vitest';
import { loadExampleContext } from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_LOAN,
  EXAMPLE_RESERVES,
  EXAMPLE_WALLET,
  type ExampleWallet,
  exampleAddress,
  exampleLending,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  instructionNames,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import type { Build, BuildContext } from '../build.ts';
import { guardBuild } from '../guards/guard-build.ts';
import { multiplyBuilder } from '../leverage/leverage-builders.ts';
import { liquidationBuilder } from '../liquidation/liquidation-builder.ts';

const reserves = EXAMPLE_RESERVES.map((each) => {
  const { fields } = each;
  const config = { ...fields.config, minLiquidationBonusBps: 500, maxLiquidationBonusBps: 1000 };
  const lastUpdate = { ...fields.lastUpdate, priceStatus: 63 };
  return { ...each, fields: { ...fields, config, lastUpdate } };
});

const kind = (of: Parameters<typeof reserveOfKind>[0]) => {
  const { address } = reserveOfKind(of);
  const found = reserves.find((each) => each.address === address);
  if (found === undefined) throw new Error(`no reserve ${of}`);
  return found;
};

const [deposited, owed] = [kind('collateral farm'), kind('debt farm')];
const OTHER = exampleAddress('other');

/** A loan of another wallet with an LTV of about 90 %. */
const unhealthy: ExampleWallet = {
  reserves,
  loan: {
    owner: exampleAddress('owner'),
    deposits: [{ reserve: deposited, amount: 1_000_000_000n }],
    borrows: [{ reserve: owed, amount: 900_000_000n }],
  },
  hasMetadata: false,
  tokens: [{ reserve: owed, amount: 10n ** 12n }],
};

function prepareLiquidation(): { readonly build: Build; readonly context: BuildContext } {
  const request = {
    wallet: EXAMPLE_WALLET,
    market: MARKET,
    loan: EXAMPLE_LOAN,
    repayReserve: owed.address,
    withdrawReserve: deposited.address,
    amount: 'all',
  } as const;
  const { context } = loadExampleContext(liquidationBuilder, request, exampleLending(unhealthy));
  return { build: liquidationBuilder.build(request, context), context };
}

/** The build with another address in place of one account. */
const withAccount = ({ instructions, ...build }: Build, at: number, account: number): Build => ({
  ...build,
  instructions: instructions.map((instruction, i) =>
    i === at
      ? {
          ...instruction,
          accounts: instruction.accounts.map((meta, j) =>
            j === account ? { ...meta, address: OTHER } : meta,
          ),
        }
      : instruction,
  ),
});

describe('a liquidation', () => {
  test('creates accounts of the loan in farms, refreshes, and liquidates', () => {
    const { build } = prepareLiquidation();
    expect(instructionNames(build)).toEqual([
      'createIdempotent',
      'createIdempotent',
      'initObligationFarmsForReserve',
      'initObligationFarmsForReserve',
      'refreshReserve',
      'refreshReserve',
      'refreshObligation',
      'liquidateObligationAndRedeemReserveCollateralV2',
    ]);
  });

  test('with any other account is never served', () => {
    const { build, context } = prepareLiquidation();
    expect(catchError(() => guardBuild(build, context))).toBeUndefined();
    build.instructions.forEach((instruction, at) => {
      instruction.accounts.forEach((_, account) => {
        const changed = withAccount(build, at, account);
        const error = catchError(() => guardBuild(changed, context));
        expect(error?.code, `account ${account} of instruction ${at}`).toBe('UNSAFE_BUILD');
      });
    });
  });
});

test('a loan of another wallet is refreshed only to liquidate it', () => {
  const { build, context } = prepareLiquidation();
  const instructions = build.instructions.slice(0, -1);
  expect(catchError(() => guardBuild({ ...build, instructions }, context))?.code).toBe(
    'UNSAFE_BUILD',
  );
});

test('flash loans with any other account are never served', () => {
  const request = {
    wallet: EXAMPLE_WALLET,
    market: MARKET,
    collateralReserve: deposited.address,
    debtReserve: owed.address,
    deposit: 1_000n,
    flashLoan: 2_000n,
    borrow: 1_000n,
    swap: {
      instructions: [
        { programAddress: exampleAddress('dex'), accounts: [], data: new Uint8Array(1) },
      ],
      lookupTables: [],
    },
  };
  const wallet = {
    reserves,
    loan: { deposits: [{ reserve: deposited, amount: 1_000_000_000n }] },
    tokens: [{ reserve: deposited, amount: 10n ** 9n }],
  };
  const { context } = loadExampleContext(multiplyBuilder, request, exampleLending(wallet));
  const build = multiplyBuilder.build(request, context);
  const names = instructionNames(build);
  const [borrowAt, repayAt] = ['flashBorrow', 'flashRepay'].map((name) =>
    names.indexOf(`${name}ReserveLiquidity`),
  );
  expect(build.instructions[repayAt ?? -1]?.data.at(-1)).toBe(borrowAt);
  expect(names.filter((name) => name === '?')).toHaveLength(1);
  expect(names.at(-1)).toBe('flashRepayReserveLiquidity');
  const own = { ...build, instructions: build.instructions.filter((_, i) => names[i] !== '?') };
  expect(catchError(() => guardBuild(own, context))).toBeUndefined();
  own.instructions.forEach((instruction, at) => {
    if (!instructionNames(own)[at]?.startsWith('flash')) return;
    instruction.accounts.forEach((_, account) => {
      const error = catchError(() => guardBuild(withAccount(own, at, account), context));
      expect(error?.code, `account ${account} of instruction ${at}`).toBe('UNSAFE_BUILD');
    });
  });
  expect(catchError(() => guardBuild(build, context))?.code).toBe('UNSAFE_BUILD');
});
