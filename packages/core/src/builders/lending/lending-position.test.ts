import { describe, expect, test } from 'vitest';
import { codeOf } from '../../../../../test/support/errors/catch-error.ts';
import {
  MADE_LOAN,
  MADE_REFERRER,
  MADE_TABLE,
  MADE_WALLET,
  madeAddress,
  madeLending,
  madeTable,
  madeTokenAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  asked,
  built,
  madeReserve,
  namesOf,
} from '../../../../../test/support/lending/lending-requests.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { userMetadataAddress } from '../../protocol/klend/pda.ts';
import { lendDeposit } from './deposit-builder.ts';
import { walletFacts } from './lending-position.ts';

const plain = madeReserve('plain');
const farmed = madeReserve('collateral farm');
const newer = madeReserve('token-2022');
const loan = { deposits: [{ reserve: plain, amount: 10n }] };

const needsOf = (of: typeof plain) => {
  const request = { wallet: MADE_WALLET, market: MARKET, reserve: of.address, amount: 1n };
  return lendDeposit.needs(request, { ...madeLending(), accounts: new Map() });
};

describe('what is read', () => {
  const always = (of: typeof plain) => [MADE_WALLET, madeTokenAddress(of)];
  const lending = [userMetadataAddress(MADE_WALLET), MADE_LOAN];

  test('of every wallet', () => {
    expect(needsOf(plain)).toEqual([...always(plain), ...lending]);
  });

  test('also the state in the farm of the reserve', () => {
    const user = userStateAddress(farmed.fields.farmCollateral, MADE_LOAN);
    expect(needsOf(farmed)).toEqual([...always(farmed), ...lending, user]);
  });

  test('also the mint of Token-2022, which decides what an account costs', () => {
    const mint = newer.fields.liquidity.mintPubkey;
    expect(needsOf(newer)).toEqual([...always(newer), mint, ...lending]);
  });

  test('also the lookup table that the metadata names, in a second read', () => {
    const more = [[MADE_TABLE, madeTable([])]] as const;
    const { reads, scene } = asked(
      'deposit',
      { of: plain, amount: 1n },
      { loan, lookupTable: MADE_TABLE, more },
    );
    expect(reads).toBe(2);
    expect(scene.accounts.has(MADE_TABLE)).toBe(true);
  });
});

test('without what must be read nothing is built', () => {
  const { request, scene } = asked('deposit', { of: plain, amount: 1n }, { loan });
  const accounts = new Map([...scene.accounts].filter(([address]) => address !== MADE_LOAN));
  expect(codeOf(() => lendDeposit.build(request, { ...scene, accounts }))).toBe('UNSAFE_BUILD');
});

test('a loan that belongs to somebody else by now is not acted on', () => {
  const made = { loan: { ...loan, owner: madeAddress('buyer') } };
  expect(codeOf(asked('deposit', { of: plain, amount: 1n }, made).build)).toBe('NOTHING_TO_BUILD');
});

describe('what to remember of a wallet', () => {
  const ask = { of: plain, amount: 1n };

  test('is what its metadata names', () => {
    const made = { hasMetadata: true, lookupTable: MADE_TABLE, referrer: MADE_REFERRER };
    expect(walletFacts(asked('deposit', ask, made).scene, MADE_WALLET)).toEqual({
      lookupTable: MADE_TABLE,
      referrer: MADE_REFERRER,
    });
  });

  test('is nothing for a zero address', () => {
    expect(walletFacts(asked('deposit', ask, { hasMetadata: true }).scene, MADE_WALLET)).toEqual({
      lookupTable: undefined,
      referrer: undefined,
    });
  });

  test('is nothing at all without metadata', () => {
    expect(walletFacts(asked('deposit', ask).scene, MADE_WALLET)).toBeUndefined();
  });

  test('is what was remembered until the metadata is read, and then what was read', () => {
    const { scene } = asked('deposit', ask, { hasMetadata: true });
    const facts = { lookupTable: MADE_TABLE, referrer: undefined };
    expect(walletFacts({ ...scene, facts, accounts: new Map() }, MADE_WALLET)).toEqual(facts);
    expect(walletFacts({ ...scene, facts }, MADE_WALLET)?.lookupTable).toBeUndefined();
  });

  test('does not come from the metadata of another wallet', () => {
    const { scene } = asked('deposit', ask, { hasMetadata: true });
    expect(walletFacts(scene, madeAddress('another wallet'))).toBeUndefined();
  });
});

test('the table of the wallet is of no use when it is gone', () => {
  const build = built('deposit', { of: plain, amount: 1n }, { loan, lookupTable: MADE_TABLE });
  expect(build.tables).toEqual([]);
  expect(namesOf(build)).toContain('refreshObligation');
});
