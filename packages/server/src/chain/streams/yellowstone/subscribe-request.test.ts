import { toAddress, toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { decodeGeyserRequest } from '../../../../../../test/support/grpc/geyser-proto.ts';
import { encodePing, encodeSubscribeRequest, type StreamTarget } from './subscribe-request.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');

test('a request has the filters, the commitment and the slot to resume from', () => {
  const filters = [
    { kind: 'size', size: 3344 },
    { kind: 'bytes', offset: 32, bytes: Uint8Array.of(5, 0) },
  ] as const;
  const targets = new Map<string, StreamTarget>([
    ['f1', { kind: 'program', scan: { program, filters } }],
    ['f2', { kind: 'accounts', addresses: [address, program] }],
    ['f3', { kind: 'transactions', mentions: [program, address] }],
    ['f4', { kind: 'logs', mentions: program }],
  ]);
  const fromSlot = toSlot(2n ** 40n + 1n);
  const request = { targets, slotsName: 'r7', commitment: 'finalized', fromSlot } as const;
  expect(decodeGeyserRequest(encodeSubscribeRequest(request))).toEqual({
    accounts: {
      f1: {
        addresses: [],
        owners: [program],
        filters: [{ size: '3344' }, { bytes: { offset: '32', value: Uint8Array.of(5, 0) } }],
      },
      f2: { addresses: [address, program], owners: [], filters: [] },
    },
    slots: { r7: { byCommitment: false, allStatuses: true } },
    transactions: { f3: { vote: false, mentions: [program, address] } },
    results: { f4: { vote: false, mentions: [program] } },
    blocks: { r7: {} },
    commitment: 2,
    fromSlot: '1099511627777',
  });
});

test('a ping has nothing but its number', () => {
  const empty = { accounts: {}, slots: {}, transactions: {}, results: {}, blocks: {} };
  expect(decodeGeyserRequest(encodePing(300))).toEqual({ ...empty, ping: { id: 300 } });
});
