import { type Address, bytesFromHex } from '@tidegate/core/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { referenceEncode } from '../../../../../test/support/reference/reference-base58.ts';
import { memoText } from '../../runtime/transactions/memo-text.ts';
import { instructionJson } from './parsed-instruction.ts';

const [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6].map(numberedAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const KEY = '01'.repeat(32);
const key = referenceEncode(bytesFromHex(KEY));
/** 1,500,000 in eight bytes. */
const AMOUNT = '60e3160000000000';
const amount = '1500000';
const tokenAmount = { amount, decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' };

const call = (programAddress: Address, accounts: readonly Address[], hex: string) => ({
  programAddress,
  accounts: accounts.map((address) => ({ address, role: 0 as const })),
  data: bytesFromHex(hex),
});

test.each([
  ['02000000', AMOUNT, [a, b], 'transfer', { source: a, destination: b, lamports: 1_500_000n }],
  [
    '00000000',
    `${AMOUNT}a500000000000000${KEY}`,
    [a, b],
    'createAccount',
    { source: a, newAccount: b, lamports: 1_500_000n, space: 165n, owner: key },
  ],
  ['01000000', KEY, [a], 'assign', { account: a, owner: key }],
  ['08000000', 'a500000000000000', [a], 'allocate', { account: a, space: 165n }],
])('system program: %s%s', (...[start, rest, accounts, type, info]) => {
  expect(instructionJson(call(SYSTEM_PROGRAM, accounts, start + rest), 1)).toEqual({
    program: 'system',
    programId: SYSTEM_PROGRAM,
    stackHeight: 1,
    parsed: { type, info },
  });
});

test.each([
  ['03', AMOUNT, [a, b, c], 'transfer', { source: a, destination: b, amount, authority: c }],
  [
    '03',
    AMOUNT,
    [a, b, c, d, e],
    'transfer',
    { source: a, destination: b, amount, multisigAuthority: c, signers: [d, e] },
  ],
  [
    '0c',
    `${AMOUNT}06`,
    [a, b, c, d],
    'transferChecked',
    { source: a, mint: b, destination: c, tokenAmount, authority: d },
  ],
  ['04', AMOUNT, [a, b, c], 'approve', { source: a, delegate: b, amount, owner: c }],
  [
    '0d',
    `${AMOUNT}06`,
    [a, b, c, d],
    'approveChecked',
    { source: a, mint: b, delegate: c, tokenAmount, owner: d },
  ],
  ['05', '', [a, b], 'revoke', { source: a, owner: b }],
  [
    '06',
    `0201${KEY}`,
    [a, b],
    'setAuthority',
    { account: a, authorityType: 'accountOwner', newAuthority: key, authority: b },
  ],
  [
    '06',
    '0000',
    [a, b, c],
    'setAuthority',
    {
      mint: a,
      authorityType: 'mintTokens',
      newAuthority: null,
      multisigAuthority: b,
      signers: [c],
    },
  ],
  ['07', AMOUNT, [a, b, c], 'mintTo', { mint: a, account: b, amount, mintAuthority: c }],
  [
    '0e',
    `${AMOUNT}06`,
    [a, b, c],
    'mintToChecked',
    { mint: a, account: b, tokenAmount, mintAuthority: c },
  ],
  ['08', AMOUNT, [a, b, c], 'burn', { account: a, mint: b, amount, authority: c }],
  [
    '0f',
    `${AMOUNT}06`,
    [a, b, c],
    'burnChecked',
    { account: a, mint: b, tokenAmount, authority: c },
  ],
  ['09', '', [a, b, c], 'closeAccount', { account: a, destination: b, owner: c }],
  ['0a', '', [a, b, c], 'freezeAccount', { account: a, mint: b, freezeAuthority: c }],
  ['0b', '', [a, b, c], 'thawAccount', { account: a, mint: b, freezeAuthority: c }],
  ['11', '', [a], 'syncNative', { account: a }],
  ['12', KEY, [a, b], 'initializeAccount3', { account: a, mint: b, owner: key }],
  ['16', '', [a], 'initializeImmutableOwner', { account: a }],
  [
    '14',
    `06${KEY}01${KEY}`,
    [a],
    'initializeMint2',
    { mint: a, decimals: 6, mintAuthority: key, freezeAuthority: key },
  ],
  [
    '1a',
    `01${AMOUNT}06${AMOUNT}`,
    [a, b, c, d],
    'transferCheckedWithFee',
    { source: a, mint: b, destination: c, tokenAmount, feeAmount: tokenAmount, authority: d },
  ],
])('token programs: %s%s', (...[start, rest, accounts, type, info]) => {
  for (const programId of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    expect(instructionJson(call(programId, accounts, start + rest), 2)).toEqual({
      program: 'spl-token',
      programId,
      stackHeight: 2,
      parsed: { type, info },
    });
  }
});

test.each([
  ['', 'create'],
  ['00', 'create'],
  ['01', 'createIdempotent'],
])('associated token program: "%s"', (hex, type) => {
  const info = { source: a, account: b, wallet: c, mint: d, systemProgram: e, tokenProgram: f };
  const parsed = instructionJson(call(ASSOCIATED_TOKEN_PROGRAM, [a, b, c, d, e, f], hex), 1);
  expect(parsed).toMatchObject({
    program: 'spl-associated-token-account',
    parsed: { type, info },
  });
});

test.each([
  ['another program', call(d, [a, b], '0102')],
  ['an unknown instruction', call(TOKEN_PROGRAM, [a, b], 'f0')],
  ['truncated data', call(TOKEN_PROGRAM, [a, b, c], '0301')],
  ['too few accounts', call(TOKEN_PROGRAM, [a, b], `03${AMOUNT}`)],
  ['an unknown authority type', call(TOKEN_PROGRAM, [a, b], '06ff00')],
  ['a memo that is not text', call(MEMO_PROGRAM, [], 'ff')],
])('%s is returned as accounts and data', (_, instruction) => {
  expect(instructionJson(instruction, 1)).toEqual({
    programId: instruction.programAddress,
    accounts: instruction.accounts.map(({ address }) => address),
    data: referenceEncode(instruction.data),
    stackHeight: 1,
  });
});

test('memos are text, listed with their lengths', () => {
  const text = '676f6f64206d656d6f';
  for (const programId of [MEMO_PROGRAM, MEMO_V1_PROGRAM]) {
    expect(instructionJson(call(programId, [], text), 1)).toEqual({
      program: 'spl-memo',
      programId,
      parsed: 'good memo',
      stackHeight: 1,
    });
  }
  expect(memoText([call(d, [], text)])).toBeUndefined();
  const memos = [call(MEMO_PROGRAM, [], text), call(d, [], '00'), call(MEMO_PROGRAM, [], 'ff')];
  expect(memoText(memos)).toBe('[9] good memo; [1] (unparseable)');
});
