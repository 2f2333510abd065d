import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
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

/** Two decimals more in the share than in the token. */
const { state } = exampleVaultAccounts({
  vault: { tokenMintDecimals: 6n, sharesMintDecimals: 8n },
  holdings: [{ ctokens: 0n }, { ctokens: 0n }],
});

const fields = (amount: string, kvault = EXAMPLE_VAULT) => ({ wallet: HOLDER, kvault, amount });

const parsedDeposit = (amount: string) => parseVaultDepositRequest(fields(amount), state);
const parsedWithdraw = (amount: string) => parseVaultWithdrawRequest(fields(amount), state);

test('tokens are counted by the token’s decimals, shares by those of the share', () => {
  expect(parsedDeposit('12.5')).toEqual({
    wallet: HOLDER,
    vault: EXAMPLE_VAULT,
    amount: 12_500_000n,
  });
  expect(parsedWithdraw('12.5').shares).toBe(1_250_000_000n);
  expect(parsedWithdraw('0.00000001').shares).toBe(1n);
  expect(errorCode(() => parsedDeposit('0.0000001'))).toBe('INVALID_DECIMAL');
});

test('everything can be withdrawn, by either of two texts, and not deposited', () => {
  expect(parsedWithdraw('U64::MAX').shares).toBe('all');
  expect(parsedWithdraw(ALL).shares).toBe('all');
  expect(errorCode(() => parsedDeposit('U64::MAX'))).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
  expect(errorCode(() => parsedDeposit(ALL))).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
});

test.each(['0', '-1', '1e3', ' 1', '+1', '', '.5', '0x1'])('"%s" is no amount', (text) => {
  expect(errorCode(() => parsedDeposit(text))).toBe('INVALID_DECIMAL');
  expect(errorCode(() => parsedWithdraw(text))).toBe('INVALID_DECIMAL');
});

test('an amount above 64 bits is refused', () => {
  expect(errorCode(() => parsedDeposit('18446744073709.551616'))).toBe(
    'DECIMAL_TO_LAMPORTS_OVERFLOW',
  );
  expect(errorCode(() => parsedWithdraw('184467440737.09551616'))).toBe(
    'DECIMAL_TO_LAMPORTS_OVERFLOW',
  );
});

test('an unknown vault is refused', () => {
  const unknown = fields('1', HOLDER);
  expect(errorCode(() => parseVaultDepositRequest(unknown, state))).toBe('KVAULT_NOT_FOUND');
  expect(errorCode(() => parseVaultWithdrawRequest(unknown, state))).toBe('KVAULT_NOT_FOUND');
});

test('a claim is for a vault, a market, or a reserve of one', () => {
  const [market, reserve] = [vaultMarketAddress(0), vaultReserveAddress(0)];
  const parse = (asked: object) => parseClaimRequest({ wallet: HOLDER, ...asked }, state);
  expect(parse({ kvault: EXAMPLE_VAULT })).toEqual({ wallet: HOLDER, vault: EXAMPLE_VAULT });
  expect(parse({ market })).toEqual({ wallet: HOLDER, market });
  expect(parse({ market, reserve })).toEqual({ wallet: HOLDER, market, reserve });
  const refused = (asked: object) => errorCode(() => parse(asked));
  expect(refused({ kvault: HOLDER })).toBe('KVAULT_NOT_FOUND');
  expect(refused({ market: exampleAddress('nowhere') })).toBe('KLEND_MARKET_NOT_FOUND');
  expect(refused({ market, reserve: vaultReserveAddress(1) })).toBe('KLEND_RESERVE_NOT_FOUND');
  expect(refused({})).toBe('INVALID_BODY');
  expect(refused({ reserve })).toBe('INVALID_BODY');
  expect(refused({ kvault: EXAMPLE_VAULT, market })).toBe('INVALID_BODY');
  expect(refused({ kvault: EXAMPLE_VAULT, reserve })).toBe('INVALID_BODY');
});
