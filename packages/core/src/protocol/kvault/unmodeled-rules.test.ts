import { expect, test } from 'vitest';
import {
  repeatedByteAddress,
  vaultWith,
} from '../../../../../test/support/vaults/example-vault.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { unmodeledVaultRules } from './unmodeled-rules.ts';

test('a vault of the known rules has none of the newer ones', () => {
  expect(unmodeledVaultRules(vaultWith({}, [{ reserve: repeatedByteAddress(1) }]))).toEqual([]);
});

test('a cap that is set is named with its field and value', () => {
  const vault = vaultWith({ depositCap: toLamports(7n) }, [
    { reserve: repeatedByteAddress(1) },
    { reserve: repeatedByteAddress(2), ctokenAllocationCap: 9n },
  ]);
  expect(unmodeledVaultRules(vault)).toEqual([
    { rule: 'deposit cap', field: 'depositCap', value: 7n },
    {
      rule: 'cToken allocation cap',
      field: 'vaultAllocationStrategy[1].ctokenAllocationCap',
      value: 9n,
    },
  ]);
});

test('what is left in a free place switches nothing on', () => {
  expect(unmodeledVaultRules(vaultWith({}, [{ ctokenAllocationCap: 9n }]))).toEqual([]);
});
