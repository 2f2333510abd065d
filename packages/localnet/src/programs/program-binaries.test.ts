import {
  type Address,
  addressToBytes,
  type ClusterAccount,
  concatBytes,
  toAddress,
  toSlot,
} from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { fetchProgramBinary } from './program-binaries.ts';

const LOADER = toAddress('BPFLoaderUpgradeab1e11111111111111111111111');
const [PROGRAM, CODE] = [numberedAddress(1), numberedAddress(2)];

const owned = (data: Uint8Array, owner = LOADER): ClusterAccount => ({ owner, lamports: 1n, data });

const program = owned(concatBytes([Uint8Array.of(2, 0, 0, 0), addressToBytes(CODE)]));

const createReader = (accounts: ReadonlyMap<Address, ClusterAccount>) => ({
  getAccounts: async (addresses: readonly Address[]) => ({
    slot: toSlot(1n),
    accounts: addresses.map((address) => accounts.get(address)),
  }),
});

const fetchBinary = (accounts: readonly (readonly [Address, ClusterAccount])[]) =>
  fetchProgramBinary(createReader(new Map(accounts)), PROGRAM);

test('the code follows a 45-byte header in the program data account', async () => {
  const code = concatBytes([new Uint8Array(45).fill(9), Uint8Array.of(127, 69, 76, 70)]);
  expect(
    await fetchBinary([
      [PROGRAM, program],
      [CODE, owned(code)],
    ]),
  ).toEqual(Uint8Array.of(127, 69, 76, 70));
});

test.each([
  ['no account', [], `There is no program ${PROGRAM}. Check the address.`],
  ['another loader', [[PROGRAM, { ...program, owner: PROGRAM }]], 'not an upgradeable program'],
  ['too few bytes', [[PROGRAM, owned(new Uint8Array(35))]], 'not an upgradeable program'],
  ['no account with code', [[PROGRAM, program]], `There is no program ${CODE}. Check the address.`],
  [
    'no code',
    [
      [PROGRAM, program],
      [CODE, owned(new Uint8Array(45))],
    ],
    'it has no code',
  ],
] as const)('a program with %s is rejected', async (_what, accounts, message) => {
  await expect(fetchBinary(accounts)).rejects.toThrow(message);
});
