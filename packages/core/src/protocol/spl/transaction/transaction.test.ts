import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { goldenFlow } from '../../../../../../test/support/golden/golden.ts';
import { pinned, testPinned } from '../../../../../../test/support/golden/pinned-figures.ts';
import { referenceEncode } from '../../../../../../test/support/reference/reference-base58.ts';
import { toAddress } from '../../../base/encoding/address.ts';
import { SYSTEM_PROGRAM } from '../programs.ts';
import type { Call } from './call-tree.ts';
import { parseTransaction } from './transaction.ts';

const KLEND_PROGRAM = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const FARMS_PROGRAM = toAddress('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');

type Json = Record<string, unknown>;
type Answer = Json & { meta: Json & { innerInstructions: unknown; logMessages: string[] } };

/** A deposit of a new user: the lending program calls the farms program, which calls another program. */
const [golden] = goldenFlow('01-deposit-usdc-new-user.json').transactions;
const deposit = (): { rpc: Answer; wire: string } =>
  golden as unknown as { rpc: Answer; wire: string };

const withMeta = (meta: Json): Json => {
  const { rpc } = deposit();
  return { ...rpc, meta: { ...rpc.meta, ...meta } };
};

const withLookups = (version: unknown): Json => {
  const { rpc } = deposit();
  const { message, ...rest } = rpc['transaction'] as { message: Json };
  const lookup = { accountKey: KLEND_PROGRAM, writableIndexes: [1], readonlyIndexes: [] };
  const loadedAddresses = { writable: [FARMS_PROGRAM], readonly: [] };
  return {
    ...withMeta({ loadedAddresses }),
    version,
    transaction: { ...rest, message: { ...message, addressTableLookups: [lookup] } },
  };
};

/** The response of an older node, without stack heights. */
const withoutHeights = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part) => (key === 'stackHeight' ? null : part)));

const shape = ({ path, children }: Call): string =>
  [path.join('.'), ...children.map(shape)].join(' ');

testPinned('parses the slot, time, fee, accounts and balances', () => {
  const transaction = parseTransaction(deposit().rpc);
  expect(transaction).toMatchObject({
    signature: pinned.deposit.signature,
    slot: pinned.deposit.slot,
    blockTime: pinned.deposit.blockTime,
    version: 0,
    error: undefined,
    fee: pinned.deposit.fee,
    computeUnits: pinned.deposit.computeUnits,
    hasInnerCalls: true,
  });
  expect(transaction.accounts).toHaveLength(pinned.deposit.accounts);
  expect(transaction.accounts[0]).toEqual({
    address: pinned.deposit.wallet,
    isSigner: true,
    isWritable: true,
  });
  expect(transaction.accounts.filter(({ isWritable }) => isWritable)).toHaveLength(
    pinned.deposit.writableAccounts,
  );
  expect(transaction.preTokenBalances[0]).toEqual({
    account: pinned.deposit.tokenAccount,
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    owner: pinned.deposit.wallet,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    amount: pinned.deposit.amountBefore,
    decimals: 6,
  });
  expect(transaction.postTokenBalances[0]?.amount).toBe(pinned.deposit.amountAfter);
});

testPinned('parses calls as a tree with addresses', () => {
  const { calls } = parseTransaction(deposit().rpc);
  expect(calls.map(shape)).toEqual([
    '0',
    '1',
    '2 2.0 2.1 2.2',
    '3 3.0',
    '4 4.0',
    '5 5.0 5.0.0',
    '6',
    '7',
    '8 8.0 8.1 8.2',
  ]);
  const [init] = calls[5]?.children ?? [];
  expect([calls[5]?.program, init?.program, init?.children[0]?.program]).toEqual([
    KLEND_PROGRAM,
    FARMS_PROGRAM,
    SYSTEM_PROGRAM,
  ]);
  expect(init?.accounts[3]).toBe(pinned.deposit.farmUser);
});

test('every encoding gives the same transaction', () => {
  const { rpc, wire } = deposit();
  const base58 = referenceEncode(Buffer.from(wire, 'base64'));
  const expected = parseTransaction(rpc);
  for (const transaction of [[wire, 'base64'], [base58, 'base58'], base58]) {
    expect(parseTransaction({ ...rpc, transaction })).toEqual(expected);
  }
});

test('accounts from a lookup table follow those of the message', () => {
  expect(parseTransaction(withLookups(0)).accounts.at(-1)).toEqual({
    address: FARMS_PROGRAM,
    isSigner: false,
    isWritable: true,
  });
});

test('accepts numbers as JSON numbers or strings of digits', () => {
  const { rpc } = deposit();
  const numbers = { ...rpc, slot: Number(rpc['slot']), blockTime: Number(rpc['blockTime']) };
  expect(parseTransaction(numbers)).toEqual(parseTransaction(rpc));
});

test('accepts null or omitted values for unknown data', () => {
  const { rpc } = deposit();
  const { blockTime: _, version: __, ...rest } = rpc;
  const meta = {
    ...rpc.meta,
    computeUnitsConsumed: undefined,
    preTokenBalances: null,
    logMessages: null,
    innerInstructions: null,
    loadedAddresses: undefined,
  };
  expect(parseTransaction({ ...rest, meta })).toMatchObject({
    blockTime: undefined,
    computeUnits: undefined,
    preTokenBalances: [],
    logs: [],
    hasInnerCalls: false,
  });
});

test('without stack heights the callers are inferred from the log', () => {
  const { rpc } = deposit();
  expect(parseTransaction(withoutHeights(rpc)).calls).toEqual(parseTransaction(rpc).calls);
});

test.each([
  ['is truncated', (logs: string[]) => [...logs, 'Log truncated']],
  ['lacks a call', (logs: string[]) => logs.filter((line) => !line.includes('invoke [3]'))],
  ['has a call too many', (logs: string[]) => [...logs, `Program ${KLEND_PROGRAM} invoke [1]`]],
  [
    'has another program',
    (logs: string[]) => logs.map((line) => line.replace(FARMS_PROGRAM, KLEND_PROGRAM)),
  ],
])('without stack heights the callers are unknown if the log %s', (_, change) => {
  const { rpc } = deposit();
  const logMessages = change(rpc.meta.logMessages);
  const response = withoutHeights({ ...rpc, meta: { ...rpc.meta, logMessages } });
  expect(parseTransaction(response).calls.map(shape)[5]).toBe('5 5.0 5.1');
});

test.each([
  ['nothing', null],
  ['no meta', { ...deposit().rpc, meta: null }],
  ['a slot below zero', { ...deposit().rpc, slot: -1 }],
  ['a slot that a double cannot hold', { ...deposit().rpc, slot: 2 ** 53 }],
  ['an unknown version', { ...deposit().rpc, version: 1 }],
  [
    'a version that differs from its bytes',
    { ...deposit().rpc, version: 'legacy', transaction: [deposit().wire, 'base64'] },
  ],
  ['tables in a legacy message', withLookups('legacy')],
  ['parsed instructions', { ...deposit().rpc, transaction: ['', 'jsonParsed'] }],
  ['a string that is not base58', { ...deposit().rpc, transaction: '0OIl' }],
  ['a fee that is not whole', withMeta({ fee: 0.5 })],
  ['an error at an invalid instruction index', withMeta({ err: { InstructionError: [9, 'X'] } })],
  [
    'unexpected loaded addresses',
    withMeta({ loadedAddresses: { writable: [KLEND_PROGRAM], readonly: [] } }),
  ],
  [
    'calls of an invalid instruction index',
    withMeta({ innerInstructions: [{ index: 9, instructions: [] }] }),
  ],
  [
    'duplicated calls of an instruction',
    withMeta({ innerInstructions: [0, 0].map((index) => ({ index, instructions: [] })) }),
  ],
  [
    'a balance with an invalid account index',
    withMeta({ preTokenBalances: [{ accountIndex: 24 }] }),
  ],
  ['a log line that is not a string', withMeta({ logMessages: [5] })],
])('a response with %s throws', (_, response) => {
  expect(catchError(() => parseTransaction(response))?.code).toBe('MALFORMED_DATA');
});

test('calls that are nested too deeply throw', () => {
  const instructions = Array.from({ length: 50_000 }, (_, i) => ({
    programIdIndex: 19,
    accounts: [],
    data: '',
    stackHeight: i + 2,
  }));
  const response = withMeta({ innerInstructions: [{ index: 0, instructions }] });
  expect(catchError(() => parseTransaction(response))?.code).toBe('MALFORMED_DATA');
});

test('parses twenty thousand calls of one instruction', () => {
  const instructions = Array.from({ length: 20_000 }, () => ({
    programIdIndex: 19,
    accounts: [1],
    data: '2',
  }));
  const response = withMeta({ innerInstructions: [{ index: 0, instructions }] });
  expect(parseTransaction(response).calls[0]?.children).toHaveLength(20_000);
});
