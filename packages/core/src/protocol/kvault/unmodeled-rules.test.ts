import { expect, test } from 'vitest';
import {
  repeatedByteAddress,
  vaultWith,
} from '../../../../../test/support/vaults/example-vault.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { unmodeledVaultRules } from './unmodeled-rules.ts';

test('a vault with known rules only has no unmodeled rules', () => {
  expect(unmodeledVaultRules(vaultWith({}, [{ reserve: repeatedByteAddress(1) }]))).toEqual([]);
});

test('a set cap has its name, field and value', () => {
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

test('ignores the cap of an unused allocation', () => {
  expect(unmodeledVaultRules(vaultWith({}, [{ ctokenAllocationCap: 9n }]))).toEqual([]);
});

test('ignores a cap that is none', () => {
  const allocation = { reserve: repeatedByteAddress(1), ctokenAllocationCap: U64_MAX };
  expect(unmodeledVaultRules(vaultWith({}, [allocation]))).toEqual([]);
});
