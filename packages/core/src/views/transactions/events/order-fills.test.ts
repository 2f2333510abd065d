import { expect, test } from 'vitest';
import { eventsOf } from '../../../../../../test/support/protocol/extracted-events.ts';
import {
  namedAddress,
  programAddress,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { addressToBytes } from '../../../base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '../../../base/encoding/bytes.ts';
import { readKlendEvents } from '../../../protocol/klend/events.ts';
import { eventAuthority } from '../../../protocol/klend/pda.ts';
import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';

const KLEND = programAddress('klend');

/** An order of 160 bytes, of which only the rest is not zero. */
const orderBytes = (remaining: bigint) =>
  concatBytes([
    addressToBytes(namedAddress('mint')),
    u64Bytes(remaining),
    new Uint8Array(160 - 32 - 8),
  ]);

const emittedCall = (discriminator: string, ...orders: Uint8Array[]): Call => ({
  program: KLEND,
  accounts: [eventAuthority()],
  data: concatBytes([bytesFromHex('e445a52e51cb9a1d'), bytesFromHex(discriminator), ...orders]),
  path: [0, 9],
  children: [],
});

/** Discriminators of the deployed interface. */
const partialFill = emittedCall('7151fcc198186354', orderBytes(70n), orderBytes(30n));
const fullFill = emittedCall('b1f1edfa8f140eb7', orderBytes(40n));

const borrowed = [
  transferCall('reserveSourceLiquidity', 'userDestinationLiquidity', 39n),
  transferCall('reserveSourceLiquidity', 'borrowReserveLiquidityFeeReceiver', 1n),
];

/** The accounts of the deployed interface, in order. */
const ACCOUNTS = [
  ...['payer', 'obligation', 'lendingMarket', 'lendingMarketAuthority', 'borrowReserve'],
  ...['borrowReserveLiquidityMint', 'reserveSourceLiquidity', 'borrowReserveLiquidityFeeReceiver'],
  ...['userDestinationLiquidity', 'referrerTokenState', 'tokenProgram', 'instructionSysvarAccount'],
  ...['obligationFarmUserState', 'reserveFarmState', 'farmsProgram', 'eventAuthority', 'program'],
];

/** Without a referrer. */
const fillCall = (event: Call | undefined): Call => ({
  program: KLEND,
  accounts: ACCOUNTS.map((name) => (name === 'referrerTokenState' ? KLEND : namedAddress(name))),
  data: bytesFromHex('6604a74c83aa5d13'),
  path: [0],
  children: event === undefined ? borrowed : [...borrowed, event],
});

const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));

const fill = {
  program: 'klend',
  programAddress: KLEND,
  path: [0],
  kind: 'fillBorrowOrder',
  ...named('payer', 'obligation', 'lendingMarket'),
  reserve: namedAddress('borrowReserve'),
  liquidityMint: namedAddress('borrowReserveLiquidityMint'),
  liquidityAmount: 39n,
  feeAmount: 1n,
  debtAmount: 40n,
};

test.each([
  ['a partial fill', partialFill, { isFull: false, filledAmount: 40n }],
  ['a full fill', fullFill, { isFull: true, filledAmount: 40n }],
  ['a fill without an event', undefined, { isFull: false, filledAmount: undefined }],
])('%s has the borrowed tokens and the filled part of the order', (_, event, expected) => {
  expect(readKlendEvents(fillCall(event))).toEqual([{ ...fill, ...expected }]);
});

test('version 2 has the same accounts', () => {
  const data = bytesFromHex('c555c18b285ec28f01');
  expect(readKlendEvents({ ...fillCall(fullFill), data })).toEqual([
    { ...fill, isFull: true, filledAmount: 40n },
  ]);
});

test('a fill is a borrow of the owner and the fill of the order', () => {
  const [borrow, filled, ...more] = eventsOf(fillCall(partialFill));
  const common = {
    obligation: namedAddress('obligation'),
    wallet: namedAddress('anna'),
    payer: namedAddress('payer'),
    reserve: namedAddress('borrowReserve'),
    mint: namedAddress('borrowReserveLiquidityMint'),
  };
  expect(borrow).toMatchObject({
    ...common,
    kind: 'borrow',
    eventIndex: 0,
    liquidityAmount: 39n,
    feeAmount: 1n,
    debtAmount: 40n,
  });
  expect(filled).toMatchObject({
    ...common,
    kind: 'borrowOrderPartialFill',
    eventIndex: 1,
    liquidityAmount: undefined,
    debtAmount: 40n,
  });
  expect(more).toEqual([]);
  expect(eventsOf(fillCall(fullFill))[1]).toMatchObject({ kind: 'borrowOrderFullFill' });
});

test('an event of another program is not the fill', () => {
  const foreign = { ...fullFill, program: namedAddress('other') };
  expect(readKlendEvents(fillCall(foreign))).toMatchObject([{ filledAmount: undefined }]);
});
