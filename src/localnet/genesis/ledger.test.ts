import { expect, test } from 'vitest';
import { spl } from '../../protocol/index.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { createKeys } from './keys.ts';
import { Ledger } from './ledger.ts';

const keys = createKeys('ledger');
const coin = keys('coin');

function withCoin(): Ledger {
  const ledger = new Ledger();
  ledger.addMint(coin, { decimals: 6, tokenProgram: TOKEN_PROGRAM, authority: keys('issuer') });
  return ledger;
}

test('what is issued, moved and burned adds up to the supply of the mint', () => {
  const ledger = withCoin();
  const [alice, bob] = [ledger.of(keys('alice'), coin), ledger.of(keys('bob'), coin)];
  ledger.issue(alice, 100n);
  ledger.move(alice, bob, 30n);
  ledger.burn(bob, 5n);
  expect([ledger.balance(alice), ledger.balance(bob), ledger.supply(coin)]).toEqual([
    70n,
    25n,
    95n,
  ]);
  const account = ledger.accounts().get(coin);
  if (account === undefined) throw new Error('no mint');
  expect(spl.accounts.mint.decode(account)).toMatchObject({ supply: 95n, decimals: 6 });
});

test('nobody pays more than they have, in another token, or from nowhere', () => {
  const ledger = withCoin();
  const other = keys('other');
  ledger.addMint(other, { decimals: 0, tokenProgram: TOKEN_PROGRAM, authority: keys('issuer') });
  const [alice, bob] = [ledger.of(keys('alice'), coin), ledger.of(keys('bob'), other)];
  ledger.issue(alice, 1n);
  expect(() => ledger.move(alice, ledger.of(keys('bob'), coin), 2n)).toThrow('64 bits');
  expect(() => ledger.move(alice, bob, 1n)).toThrow('different mints');
  expect(() => ledger.issue(keys('nobody'), 1n)).toThrow('no token account');
  expect(() => ledger.of(alice, keys('no mint'))).toThrow('no mint');
  expect(() => ledger.open(alice, { mint: coin, owner: alice })).toThrow('already');
});
