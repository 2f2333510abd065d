import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { exampleAddress } from '../../../../../test/support/lending/example-lending.ts';
import {
  EXAMPLE_VAULT,
  exampleVaultAccounts,
  HOLDER,
  vaultMarketAddress,
  vaultReserveAddress,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { parseClaimRequest } from '../claims/claim-request.ts';
import { parseVaultDepositRequest, parseVaultWithdrawRequest } from './vault-request.ts';

const ALL = '18446744073709551615';

/** The share has two decimals more than the token. */
const { state } = exampleVaultAccounts({
  vault: { tokenMintDecimals: 6n, sharesMintDecimals: 8n },
  holdings: [{ ctokens: 0n }, { ctokens: 0n }],
});

const fields = (amount: string, kvault = EXAMPLE_VAULT) => ({ wallet: HOLDER, kvault, amount });

const parsedDeposit = (amount: string) => parseVaultDepositRequest(fields(amount), state);
const parsedWithdraw = (amount: string) => parseVaultWithdrawRequest(fields(amount), state);

test('deposits use the decimals of the token, withdrawals those of the share', () => {
  expect(parsedDeposit('12.5')).toEqual({
    wallet: HOLDER,
    vault: EXAMPLE_VAULT,
    amount: 12_500_000n,
  });
  expect(parsedWithdraw('12.5').shares).toBe(1_250_000_000n);
  expect(parsedWithdraw('0.00000001').shares).toBe(1n);
  expect(catchError(() => parsedDeposit('0.0000001'))?.code).toBe('INVALID_DECIMAL');
});

test('the whole balance can be withdrawn, but not deposited', () => {
  expect(parsedWithdraw('U64::MAX').shares).toBe('all');
  expect(parsedWithdraw(ALL).shares).toBe('all');
  expect(catchError(() => parsedDeposit('U64::MAX'))?.code).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
  expect(catchError(() => parsedDeposit(ALL))?.code).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
});

test.each(['0', '-1', '1e3', ' 1', '+1', '', '.5', '0x1'])('"%s" is not an amount', (text) => {
  expect(catchError(() => parsedDeposit(text))?.code).toBe('INVALID_DECIMAL');
  expect(catchError(() => parsedWithdraw(text))?.code).toBe('INVALID_DECIMAL');
});

test('an amount above 64 bits throws', () => {
  expect(catchError(() => parsedDeposit('18446744073709.551616'))?.code).toBe(
    'DECIMAL_TO_LAMPORTS_OVERFLOW',
  );
  expect(catchError(() => parsedWithdraw('184467440737.09551616'))?.code).toBe(
    'DECIMAL_TO_LAMPORTS_OVERFLOW',
  );
});

test('an unknown vault throws', () => {
  const unknown = fields('1', HOLDER);
  expect(catchError(() => parseVaultDepositRequest(unknown, state))?.code).toBe('KVAULT_NOT_FOUND');
  expect(catchError(() => parseVaultWithdrawRequest(unknown, state))?.code).toBe(
    'KVAULT_NOT_FOUND',
  );
});

test('a claim is for a vault, a market, or a reserve of a market', () => {
  const [market, reserve] = [vaultMarketAddress(0), vaultReserveAddress(0)];
  const parse = (claim: object) => parseClaimRequest({ wallet: HOLDER, ...claim }, state);
  expect(parse({ kvault: EXAMPLE_VAULT })).toEqual({ wallet: HOLDER, vault: EXAMPLE_VAULT });
  expect(parse({ market })).toEqual({ wallet: HOLDER, market });
  expect(parse({ market, reserve })).toEqual({ wallet: HOLDER, market, reserve });
  const errorOf = (claim: object) => catchError(() => parse(claim))?.code;
  expect(errorOf({ kvault: HOLDER })).toBe('KVAULT_NOT_FOUND');
  expect(errorOf({ market: exampleAddress('nowhere') })).toBe('KLEND_MARKET_NOT_FOUND');
  expect(errorOf({ market, reserve: vaultReserveAddress(1) })).toBe('KLEND_RESERVE_NOT_FOUND');
  expect(errorOf({})).toBe('INVALID_BODY');
  expect(errorOf({ reserve })).toBe('INVALID_BODY');
  expect(errorOf({ kvault: EXAMPLE_VAULT, market })).toBe('INVALID_BODY');
  expect(errorOf({ kvault: EXAMPLE_VAULT, reserve })).toBe('INVALID_BODY');
});
