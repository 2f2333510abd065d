import { expect, test } from 'vitest';
import {
  burnCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { readKlendEvents } from '../events.ts';

/** Arguments that events must not report: executed amounts come from the token transfers. */
const args = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];

const source = { program: 'klend', programAddress: programAddress('klend'), path: [0] };
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));

const queue = { ...source, ...named('owner', 'lendingMarket', 'reserve', 'withdrawTicket') };

test('enqueue and cancel events have cToken amounts', () => {
  const enqueued = publishedCall('klend', 'enqueueToWithdraw', {
    args,
    children: [transferCall('userSourceCollateralTa', 'ownerQueuedCollateralVault', 40n)],
  });
  const cancelled = publishedCall('klend', 'cancelWithdrawTicket', {
    args,
    children: [transferCall('ownerQueuedCollateralVault', 'userDestinationCollateral', 30n)],
  });
  expect(readKlendEvents(enqueued)).toEqual([
    { ...queue, kind: 'enqueueToWithdraw', collateralAmount: 40n },
  ]);
  expect(readKlendEvents(cancelled)).toEqual([
    { ...queue, kind: 'cancelWithdrawTicket', collateralAmount: 30n },
  ]);
});

test('an enqueue event has the vault of its callback', () => {
  const events = [0, 1].map((type) =>
    readKlendEvents(
      publishedCall('klend', 'enqueueToWithdraw', {
        args: [u64Bytes(999n), Uint8Array.of(type)],
        children: [transferCall('userSourceCollateralTa', 'ownerQueuedCollateralVault', 40n)],
      }),
    ),
  );
  const vault = namedAddress('progressCallbackCustomAccount0');
  expect(events).toMatchObject([[{ vault: undefined }], [{ vault }]]);
});

test.each([
  [
    'a payment',
    [
      burnCall('ownerQueuedCollateralVault', 40n),
      transferCall('reserveLiquiditySupply', 'userDestinationLiquidity', 50n),
    ],
    { liquidityAmount: 50n, collateralAmount: 40n },
  ],
  ['an invalid ticket', [], { liquidityAmount: 0n, collateralAmount: 0n }],
])('a queue event has the amounts of %s', (_, children, amounts) => {
  const call = publishedCall('klend', 'withdrawQueuedLiquidity', { children });
  expect(readKlendEvents(call)).toEqual([
    {
      ...queue,
      ...named('payer'),
      kind: 'withdrawQueuedLiquidity',
      owner: namedAddress('withdrawTicketOwner'),
      liquidityMint: namedAddress('reserveLiquidityMint'),
      ...amounts,
    },
  ]);
});

test('a recovery has the cTokens that went back to the owner of the ticket', () => {
  const call = publishedCall('klend', 'recoverInvalidTicketCollateral', {
    args,
    children: [transferCall('ownerQueuedCollateralVault', 'userSourceCollateral', 40n)],
  });
  expect(readKlendEvents(call)).toEqual([
    {
      ...queue,
      ...named('payer'),
      kind: 'recoverInvalidTicketCollateral',
      owner: namedAddress('withdrawTicketOwner'),
      collateralAmount: 40n,
    },
  ]);
});
