import { expect, test } from 'vitest';
import { type AddressIdentity, findRoles } from './address-results.ts';
import type { Names } from './named-results.ts';

const ADDRESS = '3dGkq5XUuGBnkxZ8MGc6PKwbGyTmtj6kHkKXxvLgDFTL';
const MARKET = 'Hmj7JCMyMLMCtbP3fKppRvgzv9gqV8WpoaihNJ4FyP9s';
const RESERVE = 'H47eaqBGgjNobzWb1nt9CMMQgR7XALAP1qPsFQoak3HE';
const VAULT = '9kQ2Pv6nKCqB8iTf4ZAa8mTqKyxBcbd1gBzYkNuR5sXe';
const OWNER = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';

const market = { name: 'Main Market', lendingMarket: MARKET };
const names = {
  markets: [{ ...market, reserves: [{ reserve: RESERVE, market }] }],
  vaults: [{ address: VAULT, state: { name: 'Steady SOL' } }],
} as unknown as Names;

const find = (...roles: AddressIdentity['roles']) =>
  findRoles({ address: ADDRESS, roles }, names).map(({ kind, title, note, path }) =>
    [kind, title, note, path].join(' | '),
  );

test('each role leads to its page', () => {
  const part = { reserve: RESERVE, market: MARKET };
  expect(
    find(
      { role: 'market', name: 'Main Market' },
      { role: 'reserve', name: 'SOL', market: MARKET, mint: ADDRESS },
      { role: 'loan', name: '', market: MARKET, owner: OWNER },
      { role: 'vault', name: 'Steady SOL', mint: ADDRESS },
      { role: 'wallet', name: '', loans: 2, shares: 1, stakes: 0, withdrawTickets: 1 },
      { role: 'stake', name: 'SOL', owner: OWNER, farm: ADDRESS },
      { role: 'farm', name: 'Steady SOL', vault: VAULT },
      { role: 'collateralMint', name: 'SOL', ...part },
      { role: 'shareMint', name: 'Steady SOL', vault: VAULT },
      { role: 'tokenAccount', name: 'SOL', ...part },
      { role: 'program', name: 'klend' },
    ),
  ).toEqual([
    `Market | Main Market |  | /markets/${ADDRESS}`,
    `Reserve | SOL | Main Market | /reserves/${ADDRESS}`,
    `Loan | ${ADDRESS} | of 7u3H…5PfF | /loans/${ADDRESS}`,
    `Vault | Steady SOL |  | /vaults/${ADDRESS}`,
    `Wallet | ${ADDRESS} | 2 loans, 1 vault, 1 queued withdrawal | /wallets/${ADDRESS}`,
    `Stake | SOL | of 7u3H…5PfF | /wallets/${OWNER}`,
    `Farm | Steady SOL |  | /vaults/${VAULT}`,
    `cToken | SOL | Main Market | /reserves/${RESERVE}`,
    `Share token | Steady SOL |  | /vaults/${VAULT}`,
    `Token account | SOL | Main Market | /reserves/${RESERVE}`,
    'Program | klend | releases and upgrades | /status',
  ]);
});

test('a token leads to its reserves and vaults, with their names', () => {
  const roles = { role: 'token', name: 'SOL', mint: ADDRESS } as const;
  expect(find({ ...roles, reserves: [RESERVE, OWNER], vaults: [VAULT] })).toEqual([
    `Token | SOL | Main Market | /reserves/${RESERVE}`,
    `Token | SOL | reserve 7u3H…5PfF of an unlisted market | /reserves/${OWNER}`,
    `Token | SOL | Steady SOL | /vaults/${VAULT}`,
  ]);
});

test('an address without a role is offered as a wallet, which says so', () => {
  expect(find()).toEqual([`Wallet | ${ADDRESS} | unknown to this server | /wallets/${ADDRESS}`]);
});

test('what has no page leads to the answer', () => {
  expect(find({ role: 'lookupTable', name: '' })).toEqual([
    `Lookup table | ${ADDRESS} |  | /addresses/${ADDRESS}`,
  ]);
});
