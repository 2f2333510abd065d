import { expect, test } from 'vitest';
import { mint } from './layout/mint.ts';
import { TOKEN_2022_PROGRAM } from './programs.ts';
import { unsupportedExtensions } from './token-extensions.ts';

/** An entry of zeros except for the given bytes. */
const entry = (type: number, size: number, bytes: Readonly<Record<number, number>> = {}) => {
  const data = new Uint8Array(4 + size);
  data.set([type, 0, size]);
  for (const [at, byte] of Object.entries(bytes)) data[4 + Number(at)] = byte;
  return data;
};

function unsupportedNames(...entries: Uint8Array[]): (string | number)[] {
  const data = Uint8Array.from([
    ...new Uint8Array(45),
    1,
    ...new Uint8Array(165 - 46),
    1,
    ...entries.flatMap((bytes) => [...bytes]),
  ]);
  const value = mint.decode({ owner: TOKEN_2022_PROGRAM, data });
  return unsupportedExtensions(value).map((extension) =>
    extension.kind === 'other' ? extension.type : extension.kind,
  );
}

test('accepts a mint with all supported extensions', () => {
  const accepted = [
    entry(1, 108),
    entry(3, 32, { 0: 1 }),
    entry(4, 65),
    entry(6, 1, { 0: 2 }),
    entry(12, 32, { 0: 1 }),
    entry(14, 64, { 0: 1 }),
    entry(16, 129),
    entry(18, 64),
    entry(19, 80),
    entry(25, 56),
    entry(26, 33),
  ];
  expect(unsupportedNames(...accepted)).toEqual([]);
});

test.each([
  ['an older transfer fee', entry(1, 108, { 88: 1 }), 'transferFeeConfig'],
  ['a newer transfer fee', entry(1, 108, { 107: 1 }), 'transferFeeConfig'],
  ['a transfer hook', entry(14, 64, { 32: 1 }), 'transferHook'],
  ['confidential transfers for all', entry(4, 65, { 32: 1 }), 'confidentialTransferMint'],
  ['accounts that start uninitialized', entry(6, 1), 'defaultAccountState'],
  ['a pause', entry(26, 33, { 32: 1 }), 'pausableConfig'],
  ['no transfers at all', entry(9, 0), 'nonTransferable'],
  ['interest', entry(10, 52), 'interestBearingConfig'],
  ['a group', entry(20, 64), 20],
  ['an unknown type', entry(99, 0), 99],
])('reports %s as unsupported', (_, extension, name) => {
  expect(unsupportedNames(entry(18, 64), extension)).toEqual([name]);
});
