import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  burnCall,
  mintCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { type Address, toAddress } from '../../base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '../../base/encoding/bytes.ts';
import type { Call } from '../spl/transaction/call-tree.ts';
import { emittedEventName } from './events/emitted-events.ts';
import { readKvaultEvents } from './events.ts';

const kvault = programAddress('kvault');
/** PDA of `__event_authority` and the mainnet program. */
const EVENT_AUTHORITY = toAddress('24tHwQyJJ9akVXxnvkekGfAoeUJXXS7mE6kQNioNySsK');

const args = [u64Bytes(999n), u64Bytes(999n)];
const source = {
  program: 'kvault',
  programAddress: kvault,
  path: [0],
  vault: namedAddress('vaultState'),
};
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));

/** A self-CPI of the program that carries an event. */
function emit(
  start: string,
  values: readonly bigint[],
  authority: Address = EVENT_AUTHORITY,
): Call {
  const data = concatBytes([
    bytesFromHex('e445a52e51cb9a1d'),
    bytesFromHex(start),
    ...values.map(u64Bytes),
  ]);
  return { program: kvault, accounts: [authority], data, path: [0, 9], children: [] };
}

const depositResult = (...values: bigint[]) => emit('7b40dc0458677fcc', values);
const withdrawResult = (...values: bigint[]) => emit('14bf0fe7c4316526', values);

const paid = [transferCall('userTokenAta', 'tokenVault', 105n), mintCall('userSharesAta', 90n)];
const deposit = {
  ...source,
  ...named('user', 'tokenMint'),
  kind: 'deposit',
  tokenAmount: 105n,
  sharesAmount: 90n,
};

test.each(['deposit', 'buy'])('a %s event has the tokens, crank funds and shares', (name) => {
  const children = [emit('cac7acd424ae7a0e', [500n]), depositResult(90n, 100n, 5n), ...paid];
  expect(readKvaultEvents(publishedCall('kvault', name, { args, children }))).toEqual([
    { ...deposit, crankAmount: 5n },
  ]);
});

test.each([
  ['depositWithMinSharesOut', 'deposit', '4a7f805004ddc15b'],
  ['buyWithMinSharesOut', 'buy', '3d8766977c2e90d1'],
])('%s produces the same event as %s', (_, older, start) => {
  const call = publishedCall('kvault', older, { args, children: paid });
  const data = concatBytes([bytesFromHex(start), ...args]);
  expect(readKvaultEvents({ ...call, data })).toEqual([{ ...deposit, crankAmount: undefined }]);
});

test.each([
  ['with another authority', emit('7b40dc0458677fcc', [1n, 2n, 3n], namedAddress('somebody'))],
  ['with truncated data', emit('7b40dc0458677fcc', [90n, 100n])],
  [
    'of another deployment',
    {
      ...depositResult(90n, 100n, 5n),
      program: toAddress('stKvQfwRsQiKnLtMNVLHKS3exFJmZFsgfzBPWHECUYK'),
      accounts: [toAddress('J2AM6j9GJoFQCDvkEpXU2BuXeYa2Z6WsjpQMm2xBSfFz')],
    },
  ],
  [
    'with a second account',
    {
      ...depositResult(90n, 100n, 5n),
      accounts: [EVENT_AUTHORITY, EVENT_AUTHORITY],
    },
  ],
])('ignores an emitted event %s', (_, event) => {
  const call = publishedCall('kvault', 'deposit', { args, children: [event, ...paid] });
  expect(readKvaultEvents(call)).toEqual([{ ...deposit, crankAmount: undefined }]);
});

test.each([
  ['tokens', depositResult(90n, 100n, 6n)],
  ['shares', depositResult(91n, 100n, 5n)],
])('a deposit throws if the transfer of %s differs from the emitted event', (_, event) => {
  const call = publishedCall('kvault', 'deposit', { args, children: [event, ...paid] });
  expect(catchError(() => readKvaultEvents(call))?.code).toBe('MALFORMED_DATA');
});

/** Transfers from the reserve to the vault and from the vault to the user. */
const withdrawn = [
  burnCall('userSharesAta', 90n),
  publishedCall('klend', 'redeemReserveCollateral', {
    children: [
      burnCall('ctokenVault', 60n),
      transferCall('reserveLiquiditySupply', 'tokenVault', 71n),
    ],
  }),
  transferCall('tokenVault', 'userTokenAta', 100n),
];
const withdrawal = {
  ...source,
  ...named('user', 'tokenMint'),
  kind: 'withdraw',
  tokenAmount: 100n,
  sharesAmount: 90n,
};

test.each(['withdraw', 'sell'])('a %s event has the available and the invested part', (name) => {
  const emitted = [emit('7cdca0f5a6443fc6', [95n, 200n]), withdrawResult(90n, 30n, 60n, 70n)];
  const call = publishedCall('kvault', name, { args, children: [...withdrawn, ...emitted] });
  expect(readKvaultEvents(call)).toEqual([
    {
      ...withdrawal,
      parts: { available: 30n, invested: 70n },
      reserve: namedAddress('reserve'),
      collateralAmount: 60n,
    },
  ]);
});

test('without an emitted event the parts of a withdrawal are unknown', () => {
  const call = publishedCall('kvault', 'withdraw', { args, children: withdrawn });
  expect(readKvaultEvents(call)).toMatchObject([{ parts: undefined, collateralAmount: 60n }]);
});

test('a withdrawal from available tokens has no reserve', () => {
  const children = [
    burnCall('userSharesAta', 90n),
    transferCall('tokenVault', 'userTokenAta', 100n),
    withdrawResult(90n, 100n, 0n, 0n),
  ];
  const call = publishedCall('kvault', 'withdrawFromAvailable', { args, children });
  expect(readKvaultEvents(call)).toEqual([
    {
      ...withdrawal,
      parts: { available: 100n, invested: 0n },
      reserve: undefined,
      collateralAmount: 0n,
    },
  ]);
});

test.each([
  ['tokens', withdrawResult(90n, 31n, 60n, 70n)],
  ['shares', withdrawResult(89n, 30n, 60n, 70n)],
  ['cTokens', withdrawResult(90n, 30n, 61n, 70n)],
])('a withdrawal throws if the transfer of %s differs from the emitted event', (_, event) => {
  const call = publishedCall('kvault', 'withdraw', { args, children: [...withdrawn, event] });
  expect(catchError(() => readKvaultEvents(call))?.code).toBe('MALFORMED_DATA');
});

test('a redemption in kind pays cTokens', () => {
  const children = [
    emit('1bbf5aa36a7e9a6c', [90n, 60n]),
    burnCall('userSharesTa', 90n),
    transferCall('ctokenVault', 'userCtokenTa', 60n),
  ];
  const call = publishedCall('kvault', 'redeemInKind', { args, children });
  expect(readKvaultEvents(call)).toEqual([
    {
      ...source,
      ...named('user', 'reserve'),
      kind: 'redeemInKind',
      sharesAmount: 90n,
      collateralAmount: 60n,
    },
  ]);
  const wrong = { ...call, children: [emit('1bbf5aa36a7e9a6c', [90n, 61n]), ...children.slice(1)] };
  expect(catchError(() => readKvaultEvents(wrong))?.code).toBe('MALFORMED_DATA');
});

const added = publishedCall('klend', 'depositReserveLiquidity', {
  children: [
    transferCall('tokenVault', 'reserveLiquiditySupply', 70n),
    mintCall('ctokenVault', 60n),
  ],
});
const removed = publishedCall('klend', 'redeemReserveCollateral', {
  children: [
    burnCall('ctokenVault', 60n),
    transferCall('reserveLiquiditySupply', 'tokenVault', 70n),
  ],
});
const moved = { tokenAmount: 70n, collateralAmount: 60n };

test.each([
  ['into the reserve', [added], moved],
  ['out of the reserve', [removed], moved],
  ['none', [], { tokenAmount: 0n, collateralAmount: 0n }],
])('an investment has the direction of its transfer: %s', (direction, calls, amounts) => {
  const children = [transferCall('payerTokenAccount', 'tokenVault', 1n), ...calls];
  const call = publishedCall('kvault', 'invest', { children });
  const expected = {
    ...source,
    ...named('payer', 'tokenMint', 'reserve'),
    kind: 'invest',
    direction,
    ...amounts,
    roundingLossAmount: 1n,
  };
  expect(readKvaultEvents(call)).toEqual([expected]);
  const newer = concatBytes([bytesFromHex('875cb88945487607'), u64Bytes(5n)]);
  expect(readKvaultEvents({ ...call, data: newer })).toEqual([expected]);
});

test.each(['deposit', 'withdraw', 'redeemInKind'])('a %s without its transfers throws', (name) => {
  expect(catchError(() => readKvaultEvents(publishedCall('kvault', name, { args })))?.code).toBe(
    'MALFORMED_DATA',
  );
});

test('a self-CPI has the name of its event', () => {
  expect(emittedEventName(depositResult(1n, 2n, 3n))).toBe('DepositResultEvent');
  expect(emittedEventName(withdrawResult(1n, 2n, 3n, 4n))).toBe('WithdrawResultEvent');
  expect(emittedEventName(emit('0000000000000000', [1n]))).toBeUndefined();
});
