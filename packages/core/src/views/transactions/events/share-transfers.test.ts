import { expect, test } from 'vitest';
import {
  type ExampleTokenBalance,
  exampleTransaction,
} from '../../../../../../test/support/protocol/example-transaction.ts';
import {
  burnCall,
  mintCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { type Address, addressToBytes, toAddress } from '../../../base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '../../../base/encoding/bytes.ts';
import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';
import type { TransactionView } from '../transaction-view.ts';
import { extractHistoryEvents } from './extract-history-events.ts';
import type { OwnerLookup } from './history-event.ts';

const TOKEN = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const TOKEN_2022 = toAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

const facts: OwnerLookup = {
  ownerOfObligation: () => undefined,
  ownerOfUserState: () => undefined,
  vaultOfShareMint: (mint) => (mint === namedAddress('shares') ? namedAddress('vault') : undefined),
  vaultOfFarm: () => undefined,
  mintOfReserve: () => undefined,
};

const held = (
  owner: string,
  amount: bigint,
  account = `shares of ${owner}`,
): ExampleTokenBalance => ({
  ...{ account, mint: 'shares', owner, amount },
});

const sent = (from: string, to: string, amount: bigint): Call =>
  transferCall(`shares of ${from}`, `shares of ${to}`, amount);

const tokenCall = (start: string, names: readonly string[], data: readonly Uint8Array[]): Call => ({
  program: TOKEN,
  accounts: names.map(namedAddress),
  data: concatBytes([bytesFromHex(start), ...data]),
  path: [],
  children: [],
});

const calledBy = (program: Address, ...children: Call[]): Call => ({
  ...{ program, accounts: [], data: Uint8Array.of(9, 9, 9), path: [], children },
});

/** In the form `path/leg kind wallet amount`. */
function told(view: TransactionView): string[] {
  const names = new Map(['anna', 'ben', 'cara'].map((name) => [namedAddress(name), name]));
  return extractHistoryEvents(view, facts).map((event) => {
    if (event.area !== 'vault') return event.area;
    const { path, leg, kind, wallet, sharesAmount } = event;
    const who = wallet && (names.get(wallet) ?? 'another');
    return `${path.join('.')}/${leg} ${kind} ${who} ${sharesAmount}`;
  });
}

test('shares that are sent leave one wallet and reach another', () => {
  const view = exampleTransaction([sent('anna', 'ben', 30n)], {
    before: [held('anna', 100n), held('ben', 5n)],
    after: [held('anna', 70n), held('ben', 35n)],
  });
  const place = { signature: '1'.repeat(64), path: [0], slot: 5n, at: 77n, area: 'vault' };
  const moved = { vault: namedAddress('vault'), sharesAmount: 30n };
  const [anna, ben] = [namedAddress('anna'), namedAddress('ben')];
  expect(extractHistoryEvents(view, facts)).toMatchObject([
    {
      ...place,
      ...moved,
      leg: 0,
      order: 0,
      kind: 'shareTransferOut',
      wallet: anna,
      otherWallet: ben,
    },
    {
      ...place,
      ...moved,
      leg: 1,
      order: 1,
      kind: 'shareTransferIn',
      wallet: ben,
      otherWallet: anna,
    },
  ]);
});

const checked = (program: Address): Call => ({
  ...tokenCall(
    '0c',
    ['shares of anna', 'shares', 'shares of ben', 'anna'],
    [u64Bytes(30n), Uint8Array.of(6)],
  ),
  program,
});

test.each([
  ['TransferChecked', checked(TOKEN)],
  ['TransferChecked of Token-2022', checked(TOKEN_2022)],
  ['Transfer of Token-2022', { ...sent('anna', 'ben', 30n), program: TOKEN_2022 }],
])('%s is a transfer like any other', (_, call) => {
  const view = exampleTransaction([call], {
    before: [held('anna', 100n), held('ben', 5n)],
    after: [held('anna', 70n), held('ben', 35n)],
  });
  expect(told(view)).toEqual(['0/0 shareTransferOut anna 30', '0/1 shareTransferIn ben 30']);
});

test('several transfers at any level are told in the order in which they were made', () => {
  const wallets = namedAddress('a wallet program');
  const view = exampleTransaction(
    [
      calledBy(wallets, calledBy(wallets, sent('anna', 'ben', 10n)), sent('ben', 'cara', 4n)),
      sent('anna', 'cara', 1n),
    ],
    {
      before: [held('anna', 100n), held('ben', 0n), held('cara', 0n)],
      after: [held('anna', 89n), held('ben', 6n), held('cara', 5n)],
    },
  );
  expect(told(view)).toEqual([
    '0.0.0/0 shareTransferOut anna 10',
    '0.0.0/1 shareTransferIn ben 10',
    '0.1/0 shareTransferOut ben 4',
    '0.1/1 shareTransferIn cara 4',
    '1/0 shareTransferOut anna 1',
    '1/1 shareTransferIn cara 1',
  ]);
});

test('an account that is made or closed by the transaction has its owner from one side', () => {
  const view = exampleTransaction([sent('anna', 'ben', 100n)], {
    before: [held('anna', 100n)],
    after: [held('ben', 100n)],
  });
  expect(told(view)).toEqual(['0/0 shareTransferOut anna 100', '0/1 shareTransferIn ben 100']);
});

const passing = ['passing account', 'shares', 'ben', 'rent'];

test.each([
  ['initializeAccount', tokenCall('01', passing, [])],
  ['initializeAccount2', tokenCall('10', passing, [addressToBytes(namedAddress('ben'))])],
  ['initializeAccount3', tokenCall('12', passing, [addressToBytes(namedAddress('ben'))])],
])('an account that only the transaction saw has its owner from %s', (_, opened) => {
  const calls = [
    opened,
    transferCall('shares of anna', 'passing account', 7n),
    transferCall('passing account', 'shares of cara', 7n),
  ];
  const view = exampleTransaction(calls, {
    before: [held('anna', 7n), held('cara', 0n)],
    after: [held('anna', 0n), held('cara', 7n)],
  });
  expect(told(view)).toEqual([
    '1/0 shareTransferOut anna 7',
    '1/1 shareTransferIn ben 7',
    '2/0 shareTransferOut ben 7',
    '2/1 shareTransferIn cara 7',
  ]);
});

test('an account that is handed over takes along what it holds by then', () => {
  const toBen = [Uint8Array.of(2, 1), addressToBytes(namedAddress('ben'))];
  const handedOver = tokenCall('06', ['shares of anna', 'anna'], toBen);
  const closer = tokenCall(
    '06',
    ['shares of cara', 'cara'],
    [Uint8Array.of(3, 1), addressToBytes(namedAddress('ben'))],
  );
  const view = exampleTransaction([sent('anna', 'cara', 40n), handedOver, closer], {
    before: [held('anna', 100n), held('cara', 0n)],
    after: [held('ben', 60n, 'shares of anna'), held('cara', 40n)],
  });
  expect(told(view)).toEqual([
    '0/0 shareTransferOut anna 40',
    '0/1 shareTransferIn cara 40',
    '1/0 shareTransferOut anna 60',
    '1/1 shareTransferIn ben 60',
  ]);
});

test('an account that the transaction made is handed over with what it got there', () => {
  const handOver = (from: string, to: string) =>
    tokenCall(
      '06',
      ['shares of ben', from],
      [Uint8Array.of(2, 1), addressToBytes(namedAddress(to))],
    );
  const calls = [sent('anna', 'ben', 9n), handOver('ben', 'cara'), handOver('cara', 'ben')];
  const view = exampleTransaction(calls, { before: [held('anna', 9n)], after: [held('ben', 9n)] });
  expect(told(view).filter((line) => line.includes('Out'))).toEqual([
    '0/0 shareTransferOut anna 9',
    '1/0 shareTransferOut ben 9',
    '2/0 shareTransferOut cara 9',
  ]);
});

test('an address that held shares and is made anew for another token has none', () => {
  const opened = tokenCall('01', ['shares of anna', 'dollars', 'anna', 'rent'], []);
  const view = exampleTransaction([opened, transferCall('shares of anna', 'dollars of ben', 5n)], {
    before: [held('anna', 0n)],
    after: [{ account: 'dollars of ben', mint: 'dollars', owner: 'ben', amount: 5n }],
  });
  expect(told(view)).toEqual([]);
});

test('a fee that the token keeps back reaches nobody', () => {
  const names = ['shares of anna', 'shares', 'shares of ben', 'anna'];
  const amounts = [u64Bytes(30n), Uint8Array.of(6), u64Bytes(2n)];
  const view = exampleTransaction([{ ...tokenCall('1a01', names, amounts), program: TOKEN_2022 }], {
    before: [held('anna', 30n), held('ben', 0n)],
    after: [held('anna', 0n), held('ben', 28n)],
  });
  expect(told(view)).toEqual(['0/0 shareTransferOut anna 30', '0/1 shareTransferIn ben 28']);
});

test('an account of which nothing is recorded is of nobody known', () => {
  const view = exampleTransaction([sent('anna', 'ben', 3n)], { before: [held('anna', 3n)] });
  expect(told(view)).toEqual(['0/0 shareTransferOut anna 3', '0/1 shareTransferIn undefined 3']);
});

test('shares that their owner burns are gone', () => {
  const view = exampleTransaction([burnCall('shares of anna', 8n)], {
    before: [held('anna', 10n)],
    after: [held('anna', 2n)],
  });
  expect(told(view)).toEqual(['0/0 shareBurn anna 8']);
});

test('nothing is told of shares that stay with their owner, of no shares, of other tokens', () => {
  const own = transferCall('shares of anna', 'second of anna', 8n);
  const other = transferCall('dollars of anna', 'dollars of ben', 8n);
  const dollars = (owner: string, amount: bigint): ExampleTokenBalance => ({
    ...{ account: `dollars of ${owner}`, mint: 'dollars', owner, amount },
  });
  const view = exampleTransaction([own, sent('anna', 'ben', 0n), other], {
    before: [
      held('anna', 8n),
      held('anna', 0n, 'second of anna'),
      held('ben', 0n),
      dollars('anna', 8n),
    ],
    after: [
      held('anna', 0n),
      held('anna', 8n, 'second of anna'),
      held('ben', 0n),
      dollars('ben', 8n),
    ],
  });
  expect(told(view)).toEqual([]);
});

test('owners of whom an old node says nothing stay unknown', () => {
  const nameless = (account: string, amount: bigint) => ({ account, mint: 'shares', amount });
  const view = exampleTransaction([sent('anna', 'ben', 3n)], {
    before: [nameless('shares of anna', 3n)],
    after: [nameless('shares of anna', 0n), nameless('shares of ben', 3n)],
  });
  expect(told(view)).toEqual([
    '0/0 shareTransferOut undefined 3',
    '0/1 shareTransferIn undefined 3',
  ]);
});

test('a transaction that failed sent nothing', () => {
  const view = exampleTransaction([sent('anna', 'ben', 30n)], {
    before: [held('anna', 100n), held('ben', 5n)],
    after: [held('anna', 100n), held('ben', 5n)],
    err: 'AccountInUse',
  });
  expect(told(view)).toEqual([]);
});

test('what a farm and the vault move is told by their own events alone', () => {
  const below = calledBy(namedAddress('a program below'), sent('anna', 'ben', 10n));
  const farm = calledBy(programAddress('farms'), sent('anna', 'ben', 20n), below);
  const deposit = publishedCall('kvault', 'deposit', {
    args: [u64Bytes(999n)],
    children: [
      transferCall('userTokenAta', 'tokenVault', 50n),
      mintCall('userSharesAta', 45n),
      calledBy(namedAddress('a program below'), burnCall('userSharesAta', 1n)),
    ],
  });
  const view = exampleTransaction([farm, deposit], {
    before: [held('anna', 100n), held('ben', 5n), held('user', 0n, 'userSharesAta')],
    after: [held('anna', 70n), held('ben', 35n), held('user', 44n, 'userSharesAta')],
  });
  expect(told(view)).toEqual(['1/0 deposit another 45']);
});
