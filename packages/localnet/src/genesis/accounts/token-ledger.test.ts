import { spl } from '@tidegate/core/protocol';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { expect, test } from 'vitest';
import { createSeededKeys } from '../seed/seeded-keys.ts';
import { TokenLedger } from './token-ledger.ts';

const keys = createSeededKeys('ledger');
const coin = keys('coin');

function withCoin(): TokenLedger {
  const ledger = new TokenLedger();
  ledger.addMint(coin, { decimals: 6, tokenProgram: TOKEN_PROGRAM, authority: keys('issuer') });
  return ledger;
}

test('issued amounts add up to the supply of the mint', () => {
  const ledger = withCoin();
  ledger.issue(ledger.associatedAccount(keys('alice'), coin), 70n);
  ledger.issue(ledger.associatedAccount(keys('bob'), coin), 20n);
  ledger.issue(ledger.associatedAccount(keys('bob'), coin), 5n);
  expect(ledger.supply(coin)).toBe(95n);
  const account = ledger.accounts().get(coin);
  if (account === undefined) throw new Error('no mint');
  expect(spl.accounts.mint.decode(account)).toMatchObject({ supply: 95n, decimals: 6 });
});

test('issuing requires an existing account and mint, and must not overflow', () => {
  const ledger = withCoin();
  const alice = ledger.associatedAccount(keys('alice'), coin);
  ledger.issue(alice, 1n);
  expect(() => ledger.issue(alice, 2n ** 64n - 1n)).toThrow('64 bits');
  expect(() => ledger.issue(keys('nobody'), 1n)).toThrow('no token account');
  expect(() => ledger.associatedAccount(alice, keys('no mint'))).toThrow('no mint');
  expect(() => ledger.openAccount(alice, { mint: coin, owner: alice })).toThrow('already');
  expect([ledger.has(alice), ledger.has(keys('nobody'))]).toEqual([true, false]);
});
