import { expect, test } from 'vitest';
import { toAddress } from '../../../base/encoding/address.ts';
import { builtInLabels } from './built-in-labels.ts';

test.each([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
])('%s is a memo program', (address) => {
  expect(builtInLabels.get(toAddress(address))).toBe('the memo program');
});
