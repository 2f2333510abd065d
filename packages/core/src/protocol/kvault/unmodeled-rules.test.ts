import { expect, test } from 'vitest';
import { addressOf, vaultWith } from '../../../../../test/support/vaults/example-vault.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { rulesInUse } from './unmodeled-rules.ts';

test('a vault of the known rules has none of the newer ones', () => {
  expect(rulesInUse(vaultWith({}, [{ reserve: addressOf(1) }]))).toEqual([]);
});

test('a cap that is set is named with its field and value', () => {
  const vault = vaultWith({ depositCap: toLamports(7n) }, [
    { reserve: addressOf(1) },
    { reserve: addressOf(2), ctokenAllocationCap: 9n },
  ]);
  expect(rulesInUse(vault)).toEqual([
    { rule: 'deposit cap', field: 'depositCap', value: 7n },
    {
      rule: 'cToken allocation cap',
      field: 'vaultAllocationStrategy[1].ctokenAllocationCap',
      value: 9n,
    },
  ]);
});

test('what is left in a free place switches nothing on', () => {
  expect(rulesInUse(vaultWith({}, [{ ctokenAllocationCap: 9n }]))).toEqual([]);
});
