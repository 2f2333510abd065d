import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { mainnetAccounts } from '../../../../../../test/support/mainnet/mainnet-fixtures.ts';
import { toAddress, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { SCOPE_PROGRAM } from '../program.ts';
import { type MintsToScopeChains, mintsToScopeChains } from './mints-to-scope-chains.ts';

const owner = SCOPE_PROGRAM;
const mint = toAddress('So11111111111111111111111111111111111111112');
const chains: MintsToScopeChains = {
  oraclePrices: SCOPE_PROGRAM,
  seedPk: mint,
  seedId: 7n,
  bump: 253,
  mapping: [
    { mint, scopeChain: [0, 65535, 65535, 65535] },
    { mint: SCOPE_PROGRAM, scopeChain: [258, 1, 2, 3] },
  ],
};

test('the size of the account depends on its list, and each part is at its offset', () => {
  const data = mintsToScopeChains.encode(chains);
  const view = new DataView(data.buffer);
  expect(data).toHaveLength(85 + 2 * 40);
  expect(view.getBigUint64(72, true)).toBe(7n);
  expect(data[80]).toBe(253);
  expect(view.getUint32(81, true)).toBe(2);
  expect(view.getUint16(85 + 40 + 32, true)).toBe(258);
  expect(mintsToScopeChains.decode({ owner, data })).toEqual(chains);
});

test('encodes and decodes an empty list', () => {
  const data = mintsToScopeChains.encode({ ...chains, mapping: [] });
  expect(mintsToScopeChains.decode({ owner, data }).mapping).toEqual([]);
});

test('missing or extra bytes, another discriminator and another owner throw', () => {
  const data = mintsToScopeChains.encode(chains);
  const decode = (bytes: Uint8Array, by = owner) =>
    catchError(() => mintsToScopeChains.decode({ owner: by, data: bytes }))?.code;
  expect(decode(data.slice(0, -1))).toBe('ACCOUNT_WRONG_SIZE');
  expect(decode(new Uint8Array([...data, 0]))).toBe('ACCOUNT_WRONG_SIZE');
  expect(decode(data.slice(0, 84))).toBe('ACCOUNT_WRONG_SIZE');
  expect(decode(data.with(0, 0))).toBe('ACCOUNT_WRONG_DISCRIMINATOR');
  expect(decode(data, ZERO_ADDRESS)).toBe('ACCOUNT_WRONG_OWNER');
  const largeCount = data.slice();
  new DataView(largeCount.buffer).setUint32(81, 0xffffffff, true);
  expect(decode(largeCount)).toBe('ACCOUNT_WRONG_SIZE');
});

test('matches by owner and discriminator', () => {
  const data = mintsToScopeChains.encode(chains);
  expect(mintsToScopeChains.matches({ owner, data })).toBe(true);
  expect(mintsToScopeChains.matches({ owner: ZERO_ADDRESS, data })).toBe(false);
  expect(mintsToScopeChains.matches({ owner, data: data.with(0, 0) })).toBe(false);
  expect(mintsToScopeChains.matches({ owner, data: data.slice(0, 84) })).toBe(false);
});

test('a recorded account round-trips to the same bytes', () => {
  const recorded = mainnetAccounts().filter(({ kind }) => kind === 'scope-MintsToScopeChains');
  expect(recorded).toHaveLength(1);
  for (const account of recorded) {
    const decoded = mintsToScopeChains.decode(account);
    expect(decoded.mapping).toHaveLength(5);
    expect(decoded.mapping[0]).toEqual({ mint, scopeChain: [399, 65535, 65535, 65535] });
    expect(mintsToScopeChains.encode(decoded)).toEqual(account.data);
  }
});
