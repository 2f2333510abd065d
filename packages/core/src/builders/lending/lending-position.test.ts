import { describe, expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_LOAN,
  EXAMPLE_LOOKUP_TABLE,
  EXAMPLE_REFERRER,
  EXAMPLE_WALLET,
  exampleAddress,
  exampleLending,
  lookupTableAccount,
  tokenAccountAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { userMetadataAddress } from '../../protocol/klend/pda.ts';
import { depositBuilder } from './deposit-builder.ts';
import { readWalletMetadata } from './lending-position.ts';

const plain = reserveOfKind('plain');
const farmed = reserveOfKind('collateral farm');
const newer = reserveOfKind('token-2022');
const loan = { deposits: [{ reserve: plain, amount: 10n }] };

const needsOf = (of: typeof plain) => {
  const request = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: of.address, amount: 1n };
  return depositBuilder.needs(request, { ...exampleLending(), accounts: new Map() });
};

describe('what is read', () => {
  const always = (of: typeof plain) => [EXAMPLE_WALLET, tokenAccountAddress(of)];
  const lending = [userMetadataAddress(EXAMPLE_WALLET), EXAMPLE_LOAN];

  test('of every wallet', () => {
    expect(needsOf(plain)).toEqual([...always(plain), ...lending]);
  });

  test('also the state in the farm of the reserve', () => {
    const user = userStateAddress(farmed.fields.farmCollateral, EXAMPLE_LOAN);
    expect(needsOf(farmed)).toEqual([...always(farmed), ...lending, user]);
  });

  test('also the mint of Token-2022, which decides what an account costs', () => {
    const mint = newer.fields.liquidity.mintPubkey;
    expect(needsOf(newer)).toEqual([...always(newer), mint, ...lending]);
  });

  test('also the lookup table that the metadata names, in a second read', () => {
    const more = [[EXAMPLE_LOOKUP_TABLE, lookupTableAccount([])]] as const;
    const { reads, scene } = prepareLendingRequest(
      'deposit',
      { of: plain, amount: 1n },
      { loan, lookupTable: EXAMPLE_LOOKUP_TABLE, more },
    );
    expect(reads).toBe(2);
    expect(scene.accounts.has(EXAMPLE_LOOKUP_TABLE)).toBe(true);
  });
});

test('without what must be read nothing is built', () => {
  const { request, scene } = prepareLendingRequest('deposit', { of: plain, amount: 1n }, { loan });
  const accounts = new Map([...scene.accounts].filter(([address]) => address !== EXAMPLE_LOAN));
  expect(errorCode(() => depositBuilder.build(request, { ...scene, accounts }))).toBe(
    'UNSAFE_BUILD',
  );
});

test('a loan that belongs to somebody else by now is not acted on', () => {
  const made = { loan: { ...loan, owner: exampleAddress('buyer') } };
  expect(errorCode(prepareLendingRequest('deposit', { of: plain, amount: 1n }, made).build)).toBe(
    'NOTHING_TO_BUILD',
  );
});

describe('what to remember of a wallet', () => {
  const ask = { of: plain, amount: 1n };

  test('is what its metadata names', () => {
    const made = {
      hasMetadata: true,
      lookupTable: EXAMPLE_LOOKUP_TABLE,
      referrer: EXAMPLE_REFERRER,
    };
    expect(
      readWalletMetadata(prepareLendingRequest('deposit', ask, made).scene, EXAMPLE_WALLET),
    ).toEqual({
      lookupTable: EXAMPLE_LOOKUP_TABLE,
      referrer: EXAMPLE_REFERRER,
    });
  });

  test('is nothing for a zero address', () => {
    expect(
      readWalletMetadata(
        prepareLendingRequest('deposit', ask, { hasMetadata: true }).scene,
        EXAMPLE_WALLET,
      ),
    ).toEqual({
      lookupTable: undefined,
      referrer: undefined,
    });
  });

  test('is nothing at all without metadata', () => {
    expect(
      readWalletMetadata(prepareLendingRequest('deposit', ask).scene, EXAMPLE_WALLET),
    ).toBeUndefined();
  });

  test('is what was remembered until the metadata is read, and then what was read', () => {
    const { scene } = prepareLendingRequest('deposit', ask, { hasMetadata: true });
    const facts = { lookupTable: EXAMPLE_LOOKUP_TABLE, referrer: undefined };
    expect(readWalletMetadata({ ...scene, facts, accounts: new Map() }, EXAMPLE_WALLET)).toEqual(
      facts,
    );
    expect(readWalletMetadata({ ...scene, facts }, EXAMPLE_WALLET)?.lookupTable).toBeUndefined();
  });

  test('does not come from the metadata of another wallet', () => {
    const { scene } = prepareLendingRequest('deposit', ask, { hasMetadata: true });
    expect(readWalletMetadata(scene, exampleAddress('another wallet'))).toBeUndefined();
  });
});

test('the table of the wallet is of no use when it is gone', () => {
  const build = buildLendingRequest(
    'deposit',
    { of: plain, amount: 1n },
    { loan, lookupTable: EXAMPLE_LOOKUP_TABLE },
  );
  expect(build.tables).toEqual([]);
  expect(instructionNames(build)).toContain('refreshObligation');
});
