import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
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

const requiredFor = (reserve: typeof plain) => {
  const request = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: reserve.address, amount: 1n };
  return depositBuilder.requiredAccounts(request, { ...exampleLending(), accounts: new Map() });
};

describe('the required accounts', () => {
  const always = (reserve: typeof plain) => [EXAMPLE_WALLET, tokenAccountAddress(reserve)];
  const lending = [userMetadataAddress(EXAMPLE_WALLET), EXAMPLE_LOAN];

  test('of every wallet', () => {
    expect(requiredFor(plain)).toEqual([...always(plain), ...lending]);
  });

  test("include the loan's account in the reserve's farm", () => {
    const user = userStateAddress(farmed.fields.farmCollateral, EXAMPLE_LOAN);
    expect(requiredFor(farmed)).toEqual([...always(farmed), ...lending, user]);
  });

  test('include the mint of Token-2022, which determines the account size', () => {
    const mint = newer.fields.liquidity.mintPubkey;
    expect(requiredFor(newer)).toEqual([...always(newer), mint, ...lending]);
  });

  test('include the lookup table of the metadata, in a second read', () => {
    const more = [[EXAMPLE_LOOKUP_TABLE, lookupTableAccount([])]] as const;
    const { reads, context } = prepareLendingRequest(
      'deposit',
      { of: plain, amount: 1n },
      { loan, lookupTable: EXAMPLE_LOOKUP_TABLE, more },
    );
    expect(reads).toBe(2);
    expect(context.accounts.has(EXAMPLE_LOOKUP_TABLE)).toBe(true);
  });
});

test('a build with an unread account throws', () => {
  const { request, context } = prepareLendingRequest(
    'deposit',
    { of: plain, amount: 1n },
    { loan },
  );
  const accounts = new Map([...context.accounts].filter(([address]) => address !== EXAMPLE_LOAN));
  expect(catchError(() => depositBuilder.build(request, { ...context, accounts }))?.code).toBe(
    'UNSAFE_BUILD',
  );
});

test('a loan that belongs to another wallet is rejected', () => {
  const wallet = { loan: { ...loan, owner: exampleAddress('buyer') } };
  expect(
    catchError(prepareLendingRequest('deposit', { of: plain, amount: 1n }, wallet).build)?.code,
  ).toBe('NOTHING_TO_BUILD');
});

describe('the wallet metadata', () => {
  const overrides = { of: plain, amount: 1n };

  test('contains the lookup table and the referrer', () => {
    const wallet = {
      hasMetadata: true,
      lookupTable: EXAMPLE_LOOKUP_TABLE,
      referrer: EXAMPLE_REFERRER,
    };
    expect(
      readWalletMetadata(
        prepareLendingRequest('deposit', overrides, wallet).context,
        EXAMPLE_WALLET,
      ),
    ).toEqual({
      lookupTable: EXAMPLE_LOOKUP_TABLE,
      referrer: EXAMPLE_REFERRER,
    });
  });

  test('is undefined for a zero address', () => {
    expect(
      readWalletMetadata(
        prepareLendingRequest('deposit', overrides, { hasMetadata: true }).context,
        EXAMPLE_WALLET,
      ),
    ).toEqual({
      lookupTable: undefined,
      referrer: undefined,
    });
  });

  test('is undefined without a metadata account', () => {
    expect(
      readWalletMetadata(prepareLendingRequest('deposit', overrides).context, EXAMPLE_WALLET),
    ).toBeUndefined();
  });

  test('comes from the cache until the account is read', () => {
    const { context } = prepareLendingRequest('deposit', overrides, { hasMetadata: true });
    const walletMetadata = { lookupTable: EXAMPLE_LOOKUP_TABLE, referrer: undefined };
    expect(
      readWalletMetadata({ ...context, walletMetadata, accounts: new Map() }, EXAMPLE_WALLET),
    ).toEqual(walletMetadata);
    expect(
      readWalletMetadata({ ...context, walletMetadata }, EXAMPLE_WALLET)?.lookupTable,
    ).toBeUndefined();
  });

  test('of another wallet is not used', () => {
    const { context } = prepareLendingRequest('deposit', overrides, { hasMetadata: true });
    expect(readWalletMetadata(context, exampleAddress('another wallet'))).toBeUndefined();
  });
});

test('a deleted lookup table of the wallet is not used', () => {
  const build = buildLendingRequest(
    'deposit',
    { of: plain, amount: 1n },
    { loan, lookupTable: EXAMPLE_LOOKUP_TABLE },
  );
  expect(build.lookupTables).toEqual([]);
  expect(instructionNames(build)).toContain('refreshObligation');
});
