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
import {
  calledBy,
  sendShares,
  shareBalance,
  shareOwnerLookup,
  summarizeShareEvents,
  tokenCall,
} from '../../../../../../test/support/protocol/share-transactions.ts';
import { type Address, addressToBytes } from '../../../base/encoding/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';
import { extractHistoryEvents } from './extract-history-events.ts';

test('a share transfer has an event for the sender and the receiver', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 30n)], {
    before: [shareBalance('anna', 100n), shareBalance('ben', 5n)],
    after: [shareBalance('anna', 70n), shareBalance('ben', 35n)],
  });
  const transaction = { signature: '1'.repeat(64), path: [0], slot: 5n, at: 77n, area: 'vault' };
  const moved = { vault: namedAddress('vault'), sharesAmount: 30n };
  const [anna, ben] = [namedAddress('anna'), namedAddress('ben')];
  expect(extractHistoryEvents(view, shareOwnerLookup)).toMatchObject([
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
  ['TransferChecked', checked(TOKEN_PROGRAM)],
  ['TransferChecked of Token-2022', checked(TOKEN_2022_PROGRAM)],
  ['Transfer of Token-2022', { ...sendShares('anna', 'ben', 30n), program: TOKEN_2022_PROGRAM }],
])('%s is a share transfer', (_, call) => {
  const view = exampleTransaction([call], {
    before: [shareBalance('anna', 100n), shareBalance('ben', 5n)],
    after: [shareBalance('anna', 70n), shareBalance('ben', 35n)],
  });
  expect(summarizeShareEvents(view)).toEqual([
    '0/0 shareTransferOut anna 30',
    '0/1 shareTransferIn ben 30',
  ]);
});

test('transfers at any depth are in the order of execution', () => {
  const wallets = namedAddress('a wallet program');
  const view = exampleTransaction(
    [
      calledBy(
        wallets,
        calledBy(wallets, sendShares('anna', 'ben', 10n)),
        sendShares('ben', 'cara', 4n),
      ),
      sendShares('anna', 'cara', 1n),
    ],
    {
      before: [shareBalance('anna', 100n), shareBalance('ben', 0n), shareBalance('cara', 0n)],
      after: [shareBalance('anna', 89n), shareBalance('ben', 6n), shareBalance('cara', 5n)],
    },
  );
  expect(summarizeShareEvents(view)).toEqual([
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
    before: [shareBalance('anna', 100n)],
    after: [shareBalance('ben', 100n)],
  });
  expect(summarizeShareEvents(view)).toEqual([
    '0/0 shareTransferOut anna 100',
    '0/1 shareTransferIn ben 100',
  ]);
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
    before: [shareBalance('anna', 7n), shareBalance('cara', 0n)],
    after: [shareBalance('anna', 0n), shareBalance('cara', 7n)],
  });
  expect(summarizeShareEvents(view)).toEqual([
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
    before: [shareBalance('anna', 100n), shareBalance('cara', 0n)],
    after: [shareBalance('ben', 60n, 'shares of anna'), shareBalance('cara', 40n)],
  });
  expect(summarizeShareEvents(view)).toEqual([
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
  const calls = [
    sendShares('anna', 'ben', 9n),
    changeOwner('ben', 'cara'),
    changeOwner('cara', 'ben'),
  ];
  const view = exampleTransaction(calls, {
    before: [shareBalance('anna', 9n)],
    after: [shareBalance('ben', 9n)],
  });
  expect(summarizeShareEvents(view).filter((line) => line.includes('Out'))).toEqual([
    '0/0 shareTransferOut anna 9',
    '1/0 shareTransferOut ben 9',
    '2/0 shareTransferOut cara 9',
  ]);
});

test('an account that is recreated for another mint has no shares', () => {
  const opened = tokenCall('01', ['shares of anna', 'dollars', 'anna', 'rent'], []);
  const view = exampleTransaction([opened, transferCall('shares of anna', 'dollars of ben', 5n)], {
    before: [shareBalance('anna', 0n)],
    after: [{ account: 'dollars of ben', mint: 'dollars', owner: 'ben', amount: 5n }],
  });
  expect(summarizeShareEvents(view)).toEqual([]);
});

test('a transfer fee is not received', () => {
  const names = ['shares of anna', 'shares', 'shares of ben', 'anna'];
  const amounts = [u64Bytes(30n), Uint8Array.of(6), u64Bytes(2n)];
  const view = exampleTransaction(
    [{ ...tokenCall('1a01', names, amounts), program: TOKEN_2022_PROGRAM }],
    {
      before: [shareBalance('anna', 30n), shareBalance('ben', 0n)],
      after: [shareBalance('anna', 0n), shareBalance('ben', 28n)],
    },
  );
  expect(summarizeShareEvents(view)).toEqual([
    '0/0 shareTransferOut anna 30',
    '0/1 shareTransferIn ben 28',
  ]);
});

test('an account without a recorded balance has no known owner', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 3n)], {
    before: [shareBalance('anna', 3n)],
  });
  expect(summarizeShareEvents(view)).toEqual([
    '0/0 shareTransferOut anna 3',
    '0/1 shareTransferIn undefined 3',
  ]);
});

test('shares burned by their owner are a burn event', () => {
  const view = exampleTransaction([burnCall('shares of anna', 8n)], {
    before: [shareBalance('anna', 10n)],
    after: [shareBalance('anna', 2n)],
  });
  expect(summarizeShareEvents(view)).toEqual(['0/0 shareBurn anna 8']);
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
      shareBalance('anna', 8n),
      shareBalance('anna', 0n, 'second of anna'),
      shareBalance('ben', 0n),
      dollars('anna', 8n),
    ],
    after: [
      shareBalance('anna', 0n),
      shareBalance('anna', 8n, 'second of anna'),
      shareBalance('ben', 0n),
      dollars('ben', 8n),
    ],
  });
  expect(summarizeShareEvents(view)).toEqual([]);
});

test('owners missing in the response of an old node are unknown', () => {
  const withoutOwner = (account: string, amount: bigint) => ({ account, mint: 'shares', amount });
  const view = exampleTransaction([sendShares('anna', 'ben', 3n)], {
    before: [withoutOwner('shares of anna', 3n)],
    after: [withoutOwner('shares of anna', 0n), withoutOwner('shares of ben', 3n)],
  });
  expect(summarizeShareEvents(view)).toEqual([
    '0/0 shareTransferOut undefined 3',
    '0/1 shareTransferIn undefined 3',
  ]);
});

test('a failed transaction has no events', () => {
  const view = exampleTransaction([sendShares('anna', 'ben', 30n)], {
    before: [shareBalance('anna', 100n), shareBalance('ben', 5n)],
    after: [shareBalance('anna', 100n), shareBalance('ben', 5n)],
    err: 'AccountInUse',
  });
  expect(summarizeShareEvents(view)).toEqual([]);
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
    before: [
      shareBalance('anna', 100n),
      shareBalance('ben', 5n),
      shareBalance('user', 0n, 'userSharesAta'),
    ],
    after: [
      shareBalance('anna', 70n),
      shareBalance('ben', 35n),
      shareBalance('user', 44n, 'userSharesAta'),
    ],
  });
  expect(summarizeShareEvents(view)).toEqual(['1/0 deposit another 45']);
});
