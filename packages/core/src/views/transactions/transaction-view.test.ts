import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  burnCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { type Address, toAddress } from '../../base/encoding/address.ts';
import { encodeBase58 } from '../../base/encoding/base58.ts';
import { bytesFromHex, concatBytes } from '../../base/encoding/bytes.ts';
import type { Call } from '../../protocol/spl/transaction/call-tree.ts';
import { viewTransaction } from './transaction-view.ts';

type Meta = Readonly<Record<string, unknown>>;

/** A `getTransaction` response with these calls. */
function responseTo(calls: readonly Call[], meta: Meta = {}): unknown {
  const keys: Address[] = [namedAddress('payer of the fee')];
  const indexOf = (key: Address): number => {
    if (!keys.includes(key)) keys.push(key);
    return keys.indexOf(key);
  };
  const form = ({ program, accounts, data }: Call, stackHeight: number) => ({
    programIdIndex: indexOf(program),
    accounts: accounts.map(indexOf),
    data: encodeBase58(data),
    stackHeight,
  });
  const below = (call: Call, height: number): object[] =>
    call.children.flatMap((child) => [form(child, height), ...below(child, height + 1)]);
  const instructions = calls.map((call) => form(call, 1));
  const inner = calls.map((call, index) => ({ index, instructions: below(call, 2) }));
  return {
    slot: 5,
    blockTime: null,
    meta: { err: null, fee: 5000, innerInstructions: inner, logMessages: [], ...meta },
    transaction: {
      signatures: ['1'.repeat(64)],
      message: {
        header: {
          numRequiredSignatures: 1,
          numReadonlySignedAccounts: 0,
          numReadonlyUnsignedAccounts: 0,
        },
        accountKeys: keys,
        recentBlockhash: keys[0],
        instructions,
      },
    },
  };
}

const amount = [u64Bytes(999n)];
const repay = publishedCall('klend', 'repayObligationLiquidityV2', {
  args: amount,
  children: [transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 70n)],
});
const callTo = (program: Address, ...children: Call[]): Call => ({
  program,
  accounts: [],
  data: Uint8Array.of(1, 2, 3),
  path: [],
  children,
});

test('a lending call by an unknown program is reported once, with its own path', () => {
  const view = viewTransaction(responseTo([callTo(namedAddress('a wallet program'), repay)]));
  expect(view.events).toMatchObject([
    { program: 'klend', kind: 'repay', path: [0, 0], via: 'other', liquidityAmount: 70n },
  ]);
  expect(view.instructions).toMatchObject([
    {
      program: undefined,
      name: undefined,
      programAddress: namedAddress('a wallet program'),
      children: [{ program: 'klend', name: 'repayObligationLiquidityV2' }],
    },
  ]);
});

test('calls by the vault program are distinguished from user calls', () => {
  const emitted: Call = {
    ...callTo(programAddress('kvault')),
    accounts: [toAddress('24tHwQyJJ9akVXxnvkekGfAoeUJXXS7mE6kQNioNySsK')],
    data: concatBytes([
      bytesFromHex('e445a52e51cb9a1d14bf0fe7c4316526'),
      ...[90n, 30n, 60n, 70n].map(u64Bytes),
    ]),
  };
  const redeemed = publishedCall('klend', 'redeemReserveCollateral', { args: amount });
  const accounts = redeemed.accounts
    .with(7, namedAddress('ctokenVault'))
    .with(8, namedAddress('tokenVault'));
  const children = [
    burnCall('ctokenVault', 60n),
    transferCall('reserveLiquiditySupply', 'tokenVault', 71n),
  ];
  const withdraw = publishedCall('kvault', 'withdraw', {
    args: amount,
    children: [
      burnCall('userSharesAta', 90n),
      { ...redeemed, accounts, children },
      transferCall('tokenVault', 'userTokenAta', 100n),
      emitted,
    ],
  });
  const view = viewTransaction(responseTo([callTo(namedAddress('a wallet program'), withdraw)]));
  expect(view.events).toMatchObject([
    {
      program: 'kvault',
      kind: 'withdraw',
      path: [0, 0],
      via: 'other',
      tokenAmount: 100n,
      parts: { available: 30n, invested: 70n },
    },
    {
      program: 'klend',
      kind: 'redeemReserveCollateral',
      path: [0, 0, 1],
      via: 'kvault',
      liquidityAmount: 71n,
      collateralAmount: 60n,
    },
  ]);
  expect(view.instructions[0]?.children[0]?.children.map(({ name }) => name)).toEqual([
    'burn',
    'redeemReserveCollateral',
    'transfer',
    'WithdrawResultEvent',
  ]);
});

test('an unknown instruction of a known program has no name', () => {
  const view = viewTransaction(responseTo([callTo(programAddress('klend'))]));
  expect(view.instructions).toMatchObject([{ program: 'klend', name: undefined }]);
  expect(view.events).toEqual([]);
});

test('a successful transaction without inner instructions throws', () => {
  const response = responseTo([callTo(namedAddress('a wallet program'))], {
    innerInstructions: null,
  });
  expect(catchError(() => viewTransaction(response))?.code).toBe('MALFORMED_DATA');
});

const failed = (code: number, logs: string[], ...calls: Call[]) =>
  viewTransaction(
    responseTo(calls, { err: { InstructionError: [0, { Custom: code }] }, logMessages: logs }),
  ).failure;
const failLine = (program: Address) => `Program ${program} failed: custom program error: 0x1`;

test('an error code belongs to the failed program, not to its callers', () => {
  const farms = callTo(programAddress('farms'));
  const lending = callTo(programAddress('klend'), farms);
  expect(failed(6001, [failLine(farms.program), failLine(lending.program)], lending)).toMatchObject(
    { instructionIndex: 0, program: 'farms', code: 6001, name: 'UnstakeZero' },
  );
  expect(failed(6013, [failLine(lending.program)], lending)).toMatchObject({
    program: 'klend',
    name: 'BorrowTooLarge',
  });
});

test('without a log a failure is named only if the instruction called nothing', () => {
  const farms = callTo(programAddress('farms'));
  expect(failed(6001, [], farms)).toMatchObject({ program: 'farms', name: 'UnstakeZero' });
  expect(failed(6001, [], callTo(programAddress('klend'), farms))).toEqual({
    instructionIndex: 0,
    programAddress: undefined,
    program: undefined,
    code: 6001,
    name: undefined,
    message: undefined,
  });
});

test('a logged program that the instruction did not call is ignored', () => {
  expect(
    failed(6001, [failLine(programAddress('farms'))], callTo(programAddress('klend'))),
  ).toMatchObject({ programAddress: undefined, name: undefined });
});

test.each([
  [7000, 'kvault', 'DepositAmountsZero'],
  [3012, 'scope', 'AccountNotInitialized'],
  [1, 'token', 'InsufficientFunds'],
  [1, 'system', 'ResultWithNegativeLamports'],
  [0, 'associatedToken', 'InvalidOwner'],
  [59_999, 'klend', undefined],
])('code %d of %s is %s', (code, program, name) => {
  expect(failed(code, [], callTo(programAddress(program)))).toMatchObject({ program, code, name });
});

test('a failure of the cluster has a name', () => {
  const failureOf = (err: unknown) => viewTransaction(responseTo([repay], { err })).failure;
  expect(failureOf('BlockhashNotFound')).toMatchObject({
    instructionIndex: undefined,
    programAddress: undefined,
    name: 'BlockhashNotFound',
  });
  expect(failureOf({ InstructionError: [0, 'ComputationalBudgetExceeded'] })).toMatchObject({
    instructionIndex: 0,
    code: undefined,
    name: 'ComputationalBudgetExceeded',
  });
});
