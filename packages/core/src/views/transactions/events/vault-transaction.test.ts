import { expect, test } from 'vitest';
import { formatRatio, ratio } from '../../../base/numbers/decimal.ts';
import { viewVaultTransaction } from './vault-transaction.ts';

const prices = {
  tokenPrice: ratio(2n, 1n),
  solPrice: ratio(100n, 1n),
  tokensPerShare: ratio(11n, 10n),
};
const decimals = { tokenDecimals: 6, sharesDecimals: 6 };

const figuresOf = (kind: 'investIn' | 'investOut' | 'withdraw') => {
  const event = { kind, tokenAmount: 1_500_000n, sharesAmount: null, prices };
  const { instruction, direction, tokenAmount } = viewVaultTransaction(event, decimals);
  return [instruction, direction, formatRatio(tokenAmount, 9)];
};

test('an investment says whether tokens enter or leave the reserve; amounts are positive', () => {
  expect(figuresOf('investIn')).toEqual(['invest', 'in', '1.5']);
  expect(figuresOf('investOut')).toEqual(['invest', 'out', '1.5']);
  expect(figuresOf('withdraw')).toEqual(['withdraw', undefined, '1.5']);
});

test('shares that moved without tokens have their value', () => {
  const event = { kind: 'shareTransferOut', tokenAmount: null, sharesAmount: 1_000_000n } as const;
  const { tokenAmount, usdValue } = viewVaultTransaction({ ...event, prices }, decimals);
  expect([formatRatio(tokenAmount, 9), formatRatio(usdValue, 9)]).toEqual(['1.1', '2.2']);
});
