import { expect, test } from 'vitest';
import {
  namedAddress,
  programAddress,
  publishedCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { bytesFromHex, concatBytes } from '../../../base/encoding/bytes.ts';
import { readKlendEvents } from '../events.ts';

const source = { program: 'klend', programAddress: programAddress('klend'), path: [0] };
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));
const ofObligation = named('obligation', 'lendingMarket');

test.each([
  ['f54b5b00ec611303', 5],
  ['ee5f62dcbb28cc9a', 9],
])('a socialized loss (%s) event has the forgiven amount of the log', (start, count) => {
  const names = [
    'lendingMarketOwner',
    'obligation',
    'lendingMarket',
    'reserve',
    'e',
    'f',
    'g',
    'h',
    'i',
  ];
  const call = {
    ...publishedCall('klend', 'refreshObligation'),
    accounts: names.slice(0, count).map(namedAddress),
    data: concatBytes([bytesFromHex(start), u64Bytes(2n ** 64n - 1n)]),
  };
  const event = {
    ...source,
    ...ofObligation,
    ...named('lendingMarketOwner', 'reserve'),
    kind: 'socializeLoss',
    maxLiquidityAmount: 2n ** 64n - 1n,
  };
  const logged = (amount: string) => readKlendEvents(call, [`Forgiving debt amount ${amount}`]);
  expect(logged('77.0000')).toEqual([{ ...event, forgivenAmount: 77n }]);
  expect(logged('77.0001')).toEqual([{ ...event, forgivenAmount: 78n }]);
  expect(readKlendEvents(call)).toEqual([{ ...event, forgivenAmount: undefined }]);
});

test('initObligation and requestElevationGroup events have no amounts', () => {
  const created = publishedCall('klend', 'initObligation', { args: [Uint8Array.of(3, 1)] });
  const moved = publishedCall('klend', 'requestElevationGroup', { args: [Uint8Array.of(5)] });
  expect(readKlendEvents(created)).toEqual([
    {
      ...source,
      ...ofObligation,
      kind: 'initObligation',
      owner: namedAddress('obligationOwner'),
      tag: 3,
      id: 1,
    },
  ]);
  expect(readKlendEvents(moved)).toEqual([
    {
      ...source,
      ...ofObligation,
      ...named('owner'),
      kind: 'requestElevationGroup',
      elevationGroup: 5,
    },
  ]);
});
