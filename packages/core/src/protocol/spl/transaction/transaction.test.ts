import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { goldenFlow } from '../../../../../../test/support/golden/golden.ts';
import { referenceEncode } from '../../../../../../test/support/reference/reference-base58.ts';
import { toAddress } from '../../../base/encoding/address.ts';
import { SYSTEM_PROGRAM } from '../programs.ts';
import type { Call } from './call-tree.ts';
import { parseTransaction } from './transaction.ts';

const KLEND_PROGRAM = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const FARMS_PROGRAM = toAddress('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');

type Json = Record<string, unknown>;
type Answer = Json & { meta: Json & { innerInstructions: unknown; logMessages: string[] } };

/** A deposit by a new user: the lending program calls the farms program, which calls another. */
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

/** As older nodes answer. */
const withoutHeights = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part) => (key === 'stackHeight' ? null : part)));

const shape = ({ path, children }: Call): string =>
  [path.join('.'), ...children.map(shape)].join(' ');

test('a transaction has its slot, time, fee, accounts and balances', () => {
  const transaction = parseTransaction(deposit().rpc);
  expect(transaction).toMatchObject({
    signature:
      '4QgzGZXgJfz3SRHG43c1WXVAXgBUFT9hbqzC5drrJTn3ai6zHmB5vMDzZEj91sYLSkbNfHwiiJAnGJAeVsdVeRAU',
    slot: 373_737_304n,
    blockTime: 1_760_694_921n,
    version: 0,
    error: undefined,
    fee: 5000n,
    computeUnits: 187_090n,
    hasInnerCalls: true,
  });
  expect(transaction.accounts).toHaveLength(24);
  expect(transaction.accounts[0]).toEqual({
    address: '743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6',
    isSigner: true,
    isWritable: true,
  });
  expect(transaction.accounts.filter(({ isWritable }) => isWritable)).toHaveLength(11);
  expect(transaction.preTokenBalances[0]).toEqual({
    account: '4MAKR9R5epDEghkoVHqopP3vDp6SKesMXotH3ZMmr5D4',
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    owner: '743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6',
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    amount: 100_000_000_000n,
    decimals: 6,
  });
  expect(transaction.postTokenBalances[0]?.amount).toBe(80_000_000_000n);
});

test('calls are a tree with addresses instead of indexes', () => {
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
  expect(init?.accounts[3]).toBe(toAddress('BK6VUvrc47d3T9FevBwgWBzFPiUNwfBMbb2zRNTW15Qj'));
});

test('every encoding gives the same transaction', () => {
  const { rpc, wire } = deposit();
  const base58 = referenceEncode(Buffer.from(wire, 'base64'));
  const expected = parseTransaction(rpc);
  for (const transaction of [[wire, 'base64'], [base58, 'base58'], base58]) {
    expect(parseTransaction({ ...rpc, transaction })).toEqual(expected);
  }
});

test('accounts from a table come behind those of the message', () => {
  expect(parseTransaction(withLookups(0)).accounts.at(-1)).toEqual({
    address: FARMS_PROGRAM,
    isSigner: false,
    isWritable: true,
  });
});

test('numbers may be written as digits or as numbers', () => {
  const { rpc } = deposit();
  const numbers = { ...rpc, slot: 373_737_304, blockTime: 1_760_694_921 };
  expect(parseTransaction(numbers)).toEqual(parseTransaction(rpc));
});

test('what a node does not know may be null or left out', () => {
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

test('without heights the log tells who called whom', () => {
  const { rpc } = deposit();
  expect(parseTransaction(withoutHeights(rpc)).calls).toEqual(parseTransaction(rpc).calls);
});

test.each([
  ['is cut', (logs: string[]) => [...logs, 'Log truncated']],
  ['lacks a call', (logs: string[]) => logs.filter((line) => !line.includes('invoke [3]'))],
  ['has a call too many', (logs: string[]) => [...logs, `Program ${KLEND_PROGRAM} invoke [1]`]],
  [
    'tells of another program',
    (logs: string[]) => logs.map((line) => line.replace(FARMS_PROGRAM, KLEND_PROGRAM)),
  ],
])('without heights and with a log that %s the callers stay unknown', (_, change) => {
  const { rpc } = deposit();
  const logMessages = change(rpc.meta.logMessages);
  const answer = withoutHeights({ ...rpc, meta: { ...rpc.meta, logMessages } });
  expect(parseTransaction(answer).calls.map(shape)[5]).toBe('5 5.0 5.1');
});

test.each([
  ['nothing', null],
  ['no meta', { ...deposit().rpc, meta: null }],
  ['a slot below zero', { ...deposit().rpc, slot: -1 }],
  ['a slot that a double cannot hold', { ...deposit().rpc, slot: 2 ** 53 }],
  ['a version that is not known', { ...deposit().rpc, version: 1 }],
  [
    'another version than its bytes',
    { ...deposit().rpc, version: 'legacy', transaction: [deposit().wire, 'base64'] },
  ],
  ['tables in a legacy message', withLookups('legacy')],
  ['parsed instructions', { ...deposit().rpc, transaction: ['', 'jsonParsed'] }],
  ['text that is not base58', { ...deposit().rpc, transaction: '0OIl' }],
  ['a fee that is not whole', withMeta({ fee: 0.5 })],
  [
    'an error at an instruction that is not there',
    withMeta({ err: { InstructionError: [9, 'X'] } }),
  ],
  [
    'addresses that no table gave',
    withMeta({ loadedAddresses: { writable: [KLEND_PROGRAM], readonly: [] } }),
  ],
  [
    'calls of an instruction that is not there',
    withMeta({ innerInstructions: [{ index: 9, instructions: [] }] }),
  ],
  [
    'the calls of an instruction twice',
    withMeta({ innerInstructions: [0, 0].map((index) => ({ index, instructions: [] })) }),
  ],
  ['a balance of no account', withMeta({ preTokenBalances: [{ accountIndex: 24 }] })],
  ['a log line that is not text', withMeta({ logMessages: [5] })],
])('an answer with %s is refused', (_, answer) => {
  expect(catchError(() => parseTransaction(answer))?.code).toBe('MALFORMED_DATA');
});

test('calls that nest without end are refused, not followed', () => {
  const instructions = Array.from({ length: 50_000 }, (_, i) => ({
    programIdIndex: 19,
    accounts: [],
    data: '',
    stackHeight: i + 2,
  }));
  const answer = withMeta({ innerInstructions: [{ index: 0, instructions }] });
  expect(catchError(() => parseTransaction(answer))?.code).toBe('MALFORMED_DATA');
});

test('twenty thousand calls of one instruction are all read', () => {
  const instructions = Array.from({ length: 20_000 }, () => ({
    programIdIndex: 19,
    accounts: [1],
    data: '2',
  }));
  const answer = withMeta({ innerInstructions: [{ index: 0, instructions }] });
  expect(parseTransaction(answer).calls[0]?.children).toHaveLength(20_000);
});
