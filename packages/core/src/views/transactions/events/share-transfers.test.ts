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

const lookup: OwnerLookup = {
  ownerOfObligation: () => undefined,
  ownerOfUserState: () => undefined,
  vaultOfShareMint: (mint) => (mint === namedAddress('shares') ? namedAddress('vault') : undefined),
  vaultOfFarm: () => undefined,
  mintOfReserve: () => undefined,
};

const balanceOf = (
  owner: string,
  amount: bigint,
  account = `shares of ${owner}`,
): ExampleTokenBalance => ({
  account,
  mint: 'shares',
  owner,
  amount,
});

const sendShares = (from: string, to: string, amount: bigint): Call =>
  transferCall(`shares of ${from}`, `shares of ${to}`, amount);

const tokenCall = (discriminator: string, names: readonly string[], data: readonly Uint8Array[]): Call => ({
  program: TOKEN,
  accounts: names.map(namedAddress),
  data: concatBytes([bytesFromHex(discriminator), ...data]),
  path: [],
  children: [],
});

const calledBy = (program: Address, ...children: Call[]): Call => ({
  program,
  accounts: [],
  data: Uint8Array.of(9, 9, 9),
  path: [],
  children,
});

/** In the form `path/eventIndex kind wallet amount`. */
function summarize(view: TransactionView): string[] {
  const names = new Map(['anna', 'ben', 'cara'].map((name) => [namedAddress(name), name]));
  return extractHistoryEvents(view, lookup).map((event) => {
    if (event.area !== 'vault') return event.area;
    const { path, eventIndex, kind, wallet, sharesAmount } = event;
    const who = wallet && (names.get(wallet) ?? 'another');
    return `${path.join('.')}/${eventIndex} ${kind} ${who} ${sharesAmount}`;
  });
}

test('a share transfer has an event for the sender and the receiver', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 30n)], {
    before: [balanceOf('anna', 100n), balanceOf('ben', 5n)],
    after: [balanceOf('anna', 70n), balanceOf('ben', 35n)],
  });
  const transaction = { signature: '1'.repeat(64), path: [0], slot: 5n, at: 77n, area: 'vault' };
  const moved = { vault: namedAddress('vault'), sharesAmount: 30n };
  const [anna, ben] = [namedAddress('anna'), namedAddress('ben')];
  expect(extractHistoryEvents(view, lookup)).toMatchObject([
    {
      ...transaction,
      ...moved,
      eventIndex: 0,
      order: 0,
      kind: 'shareTransferOut',
      wallet: anna,
      otherWallet: ben,
    },
    {
      ...transaction,
      ...moved,
      eventIndex: 1,
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
  ['Transfer of Token-2022', { ...sendShares('anna', 'ben', 30n), program: TOKEN_2022 }],
])('%s is a share transfer', (_, call) => {
  const view = exampleTransaction([call], {
    before: [balanceOf('anna', 100n), balanceOf('ben', 5n)],
    after: [balanceOf('anna', 70n), balanceOf('ben', 35n)],
  });
  expect(summarize(view)).toEqual(['0/0 shareTransferOut anna 30', '0/1 shareTransferIn ben 30']);
});

test('transfers at any depth are in the order of execution', () => {
  const wallets = namedAddress('a wallet program');
  const view = exampleTransaction(
    [
      calledBy(wallets, calledBy(wallets, sendShares('anna', 'ben', 10n)), sendShares('ben', 'cara', 4n)),
      sendShares('anna', 'cara', 1n),
    ],
    {
      before: [balanceOf('anna', 100n), balanceOf('ben', 0n), balanceOf('cara', 0n)],
      after: [balanceOf('anna', 89n), balanceOf('ben', 6n), balanceOf('cara', 5n)],
    },
  );
  expect(summarize(view)).toEqual([
    '0.0.0/0 shareTransferOut anna 10',
    '0.0.0/1 shareTransferIn ben 10',
    '0.1/0 shareTransferOut ben 4',
    '0.1/1 shareTransferIn cara 4',
    '1/0 shareTransferOut anna 1',
    '1/1 shareTransferIn cara 1',
  ]);
});

test('the owner of a created or closed account comes from the balances after or before', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 100n)], {
    before: [balanceOf('anna', 100n)],
    after: [balanceOf('ben', 100n)],
  });
  expect(summarize(view)).toEqual(['0/0 shareTransferOut anna 100', '0/1 shareTransferIn ben 100']);
});

const temporaryAccount = ['passing account', 'shares', 'ben', 'rent'];

test.each([
  ['initializeAccount', tokenCall('01', temporaryAccount, [])],
  ['initializeAccount2', tokenCall('10', temporaryAccount, [addressToBytes(namedAddress('ben'))])],
  ['initializeAccount3', tokenCall('12', temporaryAccount, [addressToBytes(namedAddress('ben'))])],
])('the owner of a temporary account comes from %s', (_, opened) => {
  const calls = [
    opened,
    transferCall('shares of anna', 'passing account', 7n),
    transferCall('passing account', 'shares of cara', 7n),
  ];
  const view = exampleTransaction(calls, {
    before: [balanceOf('anna', 7n), balanceOf('cara', 0n)],
    after: [balanceOf('anna', 0n), balanceOf('cara', 7n)],
  });
  expect(summarize(view)).toEqual([
    '1/0 shareTransferOut anna 7',
    '1/1 shareTransferIn ben 7',
    '2/0 shareTransferOut ben 7',
    '2/1 shareTransferIn cara 7',
  ]);
});

test('an account with a new owner transfers its balance', () => {
  const toBen = [Uint8Array.of(2, 1), addressToBytes(namedAddress('ben'))];
  const ownerChange = tokenCall('06', ['shares of anna', 'anna'], toBen);
  const closer = tokenCall(
    '06',
    ['shares of cara', 'cara'],
    [Uint8Array.of(3, 1), addressToBytes(namedAddress('ben'))],
  );
  const view = exampleTransaction([sendShares('anna', 'cara', 40n), ownerChange, closer], {
    before: [balanceOf('anna', 100n), balanceOf('cara', 0n)],
    after: [balanceOf('ben', 60n, 'shares of anna'), balanceOf('cara', 40n)],
  });
  expect(summarize(view)).toEqual([
    '0/0 shareTransferOut anna 40',
    '0/1 shareTransferIn cara 40',
    '1/0 shareTransferOut anna 60',
    '1/1 shareTransferIn ben 60',
  ]);
});

test('a created account with a new owner transfers the shares it received', () => {
  const changeOwner = (from: string, to: string) =>
    tokenCall(
      '06',
      ['shares of ben', from],
      [Uint8Array.of(2, 1), addressToBytes(namedAddress(to))],
    );
  const calls = [sendShares('anna', 'ben', 9n), changeOwner('ben', 'cara'), changeOwner('cara', 'ben')];
  const view = exampleTransaction(calls, { before: [balanceOf('anna', 9n)], after: [balanceOf('ben', 9n)] });
  expect(summarize(view).filter((line) => line.includes('Out'))).toEqual([
    '0/0 shareTransferOut anna 9',
    '1/0 shareTransferOut ben 9',
    '2/0 shareTransferOut cara 9',
  ]);
});

test('an account that is recreated for another mint has no shares', () => {
  const opened = tokenCall('01', ['shares of anna', 'dollars', 'anna', 'rent'], []);
  const view = exampleTransaction([opened, transferCall('shares of anna', 'dollars of ben', 5n)], {
    before: [balanceOf('anna', 0n)],
    after: [{ account: 'dollars of ben', mint: 'dollars', owner: 'ben', amount: 5n }],
  });
  expect(summarize(view)).toEqual([]);
});

test('a transfer fee is not received', () => {
  const names = ['shares of anna', 'shares', 'shares of ben', 'anna'];
  const amounts = [u64Bytes(30n), Uint8Array.of(6), u64Bytes(2n)];
  const view = exampleTransaction([{ ...tokenCall('1a01', names, amounts), program: TOKEN_2022 }], {
    before: [balanceOf('anna', 30n), balanceOf('ben', 0n)],
    after: [balanceOf('anna', 0n), balanceOf('ben', 28n)],
  });
  expect(summarize(view)).toEqual(['0/0 shareTransferOut anna 30', '0/1 shareTransferIn ben 28']);
});

test('an account without a recorded balance has no known owner', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 3n)], { before: [balanceOf('anna', 3n)] });
  expect(summarize(view)).toEqual(['0/0 shareTransferOut anna 3', '0/1 shareTransferIn undefined 3']);
});

test('shares burned by their owner are a burn event', () => {
  const view = exampleTransaction([burnCall('shares of anna', 8n)], {
    before: [balanceOf('anna', 10n)],
    after: [balanceOf('anna', 2n)],
  });
  expect(summarize(view)).toEqual(['0/0 shareBurn anna 8']);
});

test('transfers to the same owner, of zero shares, or of other tokens are no events', () => {
  const own = transferCall('shares of anna', 'second of anna', 8n);
  const other = transferCall('dollars of anna', 'dollars of ben', 8n);
  const dollars = (owner: string, amount: bigint): ExampleTokenBalance => ({
    account: `dollars of ${owner}`,
    mint: 'dollars',
    owner,
    amount,
  });
  const view = exampleTransaction([own, sendShares('anna', 'ben', 0n), other], {
    before: [
      balanceOf('anna', 8n),
      balanceOf('anna', 0n, 'second of anna'),
      balanceOf('ben', 0n),
      dollars('anna', 8n),
    ],
    after: [
      balanceOf('anna', 0n),
      balanceOf('anna', 8n, 'second of anna'),
      balanceOf('ben', 0n),
      dollars('ben', 8n),
    ],
  });
  expect(summarize(view)).toEqual([]);
});

test('owners missing in the response of an old node are unknown', () => {
  const withoutOwner = (account: string, amount: bigint) => ({ account, mint: 'shares', amount });
  const view = exampleTransaction([sendShares('anna', 'ben', 3n)], {
    before: [withoutOwner('shares of anna', 3n)],
    after: [withoutOwner('shares of anna', 0n), withoutOwner('shares of ben', 3n)],
  });
  expect(summarize(view)).toEqual([
    '0/0 shareTransferOut undefined 3',
    '0/1 shareTransferIn undefined 3',
  ]);
});

test('a failed transaction has no events', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 30n)], {
    before: [balanceOf('anna', 100n), balanceOf('ben', 5n)],
    after: [balanceOf('anna', 100n), balanceOf('ben', 5n)],
    err: 'AccountInUse',
  });
  expect(summarize(view)).toEqual([]);
});

test('transfers by a farm or the vault are part of their own events', () => {
  const below = calledBy(namedAddress('a program below'), sendShares('anna', 'ben', 10n));
  const farm = calledBy(programAddress('farms'), sendShares('anna', 'ben', 20n), below);
  const deposit = publishedCall('kvault', 'deposit', {
    args: [u64Bytes(999n)],
    children: [
      transferCall('userTokenAta', 'tokenVault', 50n),
      mintCall('userSharesAta', 45n),
      calledBy(namedAddress('a program below'), burnCall('userSharesAta', 1n)),
    ],
  });
  const view = exampleTransaction([farm, deposit], {
    before: [balanceOf('anna', 100n), balanceOf('ben', 5n), balanceOf('user', 0n, 'userSharesAta')],
    after: [balanceOf('anna', 70n), balanceOf('ben', 35n), balanceOf('user', 44n, 'userSharesAta')],
  });
  expect(summarize(view)).toEqual(['1/0 deposit another 45']);
});
