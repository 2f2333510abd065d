import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { repeatedByteAddress } from '../../../../../../test/support/vaults/example-vault.ts';
import { bytesFromHex } from '../../../base/encoding/bytes.ts';
import { globalConfig, reserveWhitelistEntry } from '../layout/global-config.ts';
import { updateWhitelistEntry } from './allocations.ts';
import {
  decodeGlobalConfigUpdate,
  type GlobalConfigUpdate,
  updateGlobalConfig,
} from './settings.ts';

const config = globalConfig.body.decode(new DataView(new ArrayBuffer(globalConfig.size)), 0);
const ADMIN = repeatedByteAddress(3);

test('the value has the type of its mode', () => {
  const admin = new Uint8Array(33).fill(3);
  expect(decodeGlobalConfigUpdate(0, admin)).toEqual({ mode: 'PendingAdmin', value: ADMIN });
  expect(decodeGlobalConfigUpdate(1, bytesFromHex('0201000000000000'))).toEqual({
    mode: 'MinWithdrawalPenaltyLamports',
    value: 258n,
  });
  expect(decodeGlobalConfigUpdate(0, admin.subarray(2))).toBeUndefined();
  expect(decodeGlobalConfigUpdate(2, admin.subarray(26))).toBeUndefined();
  expect(decodeGlobalConfigUpdate(3, admin)).toBeUndefined();
});

test('a pending admin is stored', () => {
  const update: GlobalConfigUpdate = { mode: 'PendingAdmin', value: ADMIN };
  expect(updateGlobalConfig(config, update)).toEqual({ ...config, pendingAdmin: ADMIN });
});

test.each([
  [
    'MinWithdrawalPenaltyLamports',
    'withdrawalPenaltyLamports',
    10_000n,
    'WithdrawalFeeLamportsGreaterThanMaxAllowed',
  ],
  [
    'MinWithdrawalPenaltyBPS',
    'withdrawalPenaltyBps',
    1_000n,
    'WithdrawalFeeBPSGreaterThanMaxAllowed',
  ],
] as const)('%s is at most its limit', (...[mode, field, max, error]) => {
  expect(updateGlobalConfig(config, { mode, value: max })).toEqual({ ...config, [field]: max });
  const failure = catchError(() => updateGlobalConfig(config, { mode, value: max + 1n }));
  expect(programErrorName(failure)).toBe(error);
});

const entry = reserveWhitelistEntry.body.decode(
  new DataView(new ArrayBuffer(reserveWhitelistEntry.size)),
  0,
);
const named = { reserve: repeatedByteAddress(1), tokenMint: repeatedByteAddress(2) };

test('a whitelist entry has two permissions, set one at a time', () => {
  const invest = updateWhitelistEntry(entry, { ...named, mode: 'Invest', value: 1 });
  expect(invest).toEqual({ ...entry, ...named, whitelistInvest: 1 });
  const both = updateWhitelistEntry(invest, { ...named, mode: 'AddAllocation', value: 1 });
  expect(both).toEqual({ ...invest, whitelistAddAllocation: 1 });
  const failure = catchError(() =>
    updateWhitelistEntry(entry, { ...named, mode: 'Invest', value: 2 }),
  );
  expect(programErrorName(failure)).toBe('InvalidBoolLikeValue');
});
