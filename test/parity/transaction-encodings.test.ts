import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import {
  type InstructionView,
  viewTransaction,
} from '#core/views/transactions/transaction-view.ts';
import { goldenFlows } from '../support/golden/golden.ts';
import { mainnetTransaction } from '../support/mainnet/mainnet-fixtures.ts';
import { toRpcTransaction } from '../support/protocol/streamed-transaction.ts';
import { referenceEncode } from '../support/reference/reference-base58.ts';

const flows = goldenFlows();
/** The vault program of the golden cluster is a model, so its flows have no RPC response. */
const withResponse = flows.filter(({ transactions }) =>
  transactions.every(({ rpc }) => rpc !== null),
);

test.each(withResponse)(
  '$name is the same in every encoding, with and without stack heights',
  (flow) => {
    for (const { rpc, wire } of flow.transactions) {
      const answer = rpc as Record<string, unknown>;
      const expected = viewTransaction(answer);
      const base58 = referenceEncode(Buffer.from(wire, 'base64'));
      for (const transaction of [[wire, 'base64'], [base58, 'base58'], base58]) {
        expect(viewTransaction({ ...answer, transaction })).toEqual(expected);
      }
      const older = JSON.stringify(answer, (key, value) => (key === 'stackHeight' ? null : value));
      expect(viewTransaction(JSON.parse(older))).toEqual(expected);
    }
  },
);

test.each(flows)('the transaction of $name has the requested instructions', (flow) => {
  for (const { wire } of flow.transactions) {
    const { message } = decodeWireTransaction(Uint8Array.from(Buffer.from(wire, 'base64')));
    const found = message.instructions.map(({ programIndex, accountIndexes, data }) => ({
      program: message.staticKeys[programIndex],
      accounts: accountIndexes.map((index) => message.staticKeys[index]),
      data,
    }));
    const requested = flow.instructions.map(({ programAddress, accounts, data }) => ({
      program: programAddress,
      accounts: accounts.map(({ address }) => address),
      data,
    }));
    const isFromTable = (address: Address | undefined) => address === undefined;
    expect(found.map(({ program, data }) => [program, data])).toEqual(
      requested.map(({ program, data }) => [program, data]),
    );
    found.forEach(({ accounts }, i) => {
      const known = requested[i]?.accounts.map((address, j) =>
        isFromTable(accounts[j]) ? undefined : address,
      );
      expect(accounts).toEqual(known);
    });
  }
});

test('every instruction and call of the flows has a name', () => {
  const unnamed = new Set<string>();
  const walk = ({ program, name, data, children }: InstructionView) => {
    if (name === undefined) unnamed.add(`${program} ${data[0]}`);
    children.forEach(walk);
  };
  for (const flow of withResponse) {
    for (const { rpc } of flow.transactions) viewTransaction(rpc).instructions.forEach(walk);
  }
  expect([...unnamed]).toEqual([]);
});

test('a recorded repayment equals its transfer', () => {
  const answer = mainnetTransaction('repay');
  const view = viewTransaction(answer);
  expect(view).toMatchObject({ slot: 361_774_429n, fee: 52_338n, failure: undefined });
  expect(view.events).toMatchObject([
    {
      program: 'klend',
      kind: 'repay',
      path: [5],
      via: undefined,
      payer: 'CDtBwHEpD1xBsMaQ7xeiPudPovkPb281ZRJ6j8WUAiPm',
      lendingMarket: '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF',
      reserve: 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
      liquidityMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      liquidityAmount: 5_027_079n,
    },
  ]);
  const gained = (mine: 'preTokenBalances' | 'postTokenBalances') =>
    view[mine].find(({ account }) => account === 'Bgq7trRgVMeq33yt235zM2onQ4bRDBsY5EWiTetF4qw6');
  const before = gained('preTokenBalances')?.amount ?? 0n;
  expect((gained('postTokenBalances')?.amount ?? 0n) - before).toBe(5_027_079n);
});

test('a recorded failed flash loan has no events', () => {
  const view = viewTransaction(toRpcTransaction(mainnetTransaction('flash-loan')));
  expect(view.events).toEqual([]);
  expect(view.instructions.map(({ program, name }) => [program, name])).toEqual([
    ['computeBudget', 'setComputeUnitLimit'],
    ['computeBudget', 'setComputeUnitPrice'],
    ['klend', 'flashBorrowReserveLiquidity'],
    [undefined, undefined],
    ['klend', 'flashRepayReserveLiquidity'],
  ]);
  expect(view.instructions[2]?.children[0]?.name).toBe('transferChecked');
  expect(view.failure).toMatchObject({ instructionIndex: 3, code: 1, name: undefined });
});
