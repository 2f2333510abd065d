import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { repeatedByteAddress } from '../../../../../../test/support/vaults/example-vault.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../releases.ts';
import { initVault, type NewVault } from './settings.ts';

const created: NewVault = {
  vaultAdminAuthority: repeatedByteAddress(1),
  tokenMint: repeatedByteAddress(2),
  tokenMintDecimals: 6n,
  tokenVault: repeatedByteAddress(3),
  tokenProgram: repeatedByteAddress(4),
  baseVaultAuthority: repeatedByteAddress(5),
  baseVaultAuthorityBump: 254n,
  sharesMint: repeatedByteAddress(6),
  sharesMintDecimals: 6n,
};
const time = { slot: toSlot(9n), unix: toUnixSeconds(1_700_000_000n) };

test('a new vault holds 1,000 lamports and as many shares', () => {
  const { vault, tokenToDeposit, crankFundsToDeposit } = initVault(created, {
    time,
    rules: NEWEST_VAULT_RULES,
  });
  expect([tokenToDeposit, crankFundsToDeposit]).toEqual([1_000n, 0n]);
  expect(vault).toMatchObject({
    ...created,
    allocationAdmin: created.vaultAdminAuthority,
    pendingAdmin: ZERO_ADDRESS,
    tokenAvailable: 1_000n,
    sharesIssued: 1_000n,
    prevAumSf: 1_000n << 60n,
    creationTimestamp: 1_700_000_000n,
    lastFeeChargeTimestamp: 1_700_000_000n,
    depositCap: 2n ** 64n - 1n,
  });
});

test('a vault of a release without deposit caps has none', () => {
  const { vault } = initVault(created, { time, rules: kvaultReleases[0].rules });
  expect(vault.depositCap).toBe(0n);
});

test('a token without decimals is rejected', () => {
  const error = catchError(() =>
    initVault({ ...created, tokenMintDecimals: 0n }, { time, rules: NEWEST_VAULT_RULES }),
  );
  expect(programErrorName(error)).toBe('TokenMintDecimalsIncorrect');
});
