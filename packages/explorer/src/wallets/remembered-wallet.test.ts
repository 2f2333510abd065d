import { expect, test } from 'vitest';
import { parseWallet } from './remembered-wallet.ts';

const address = '5htp31t9xJSZHo1Ct6ePGqHXzgw1Bfbiksk4GU3ibfE9';
const stored = { kind: 'browser', name: 'Some Wallet', address, chain: 'solana:mainnet' };

test('a stored wallet is read as it was', () => {
  expect(parseWallet(JSON.stringify(stored))).toEqual(stored);
});

test('what is not a wallet is none', () => {
  const changed = (change: object): string => JSON.stringify({ ...stored, ...change });
  for (const text of [
    ...[null, '', 'null', '7', '{'],
    ...[changed({ kind: 'other' }), changed({ name: 1 }), changed({ chain: null })],
    ...[changed({ address: 'nobody' }), changed({ address: [address] })],
  ]) {
    expect(parseWallet(text), String(text)).toBeUndefined();
  }
});
