import { expect, test } from 'vitest';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { type OraclePrices, oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';

const deposit = lendingFlowVariant('13');
const reserve = accountInSlot(deposit, 'refreshReserve', 'reserve');
const feed = accountInSlot(deposit, 'refreshReserve', 'scopePrices');
/** An entry that no reserve uses. */
const UNUSED = 511;
const END = 65_535;

type TokenInfo = Reserve['config']['tokenInfo'];

/** The deposit with a price list whose last entry overflows, and a reserve with these chains. */
function withUnusableEntry(
  chains: Partial<TokenInfo['scopeConfiguration']>,
  terms: Partial<TokenInfo> = {},
) {
  const priced = withFields(deposit, [oraclePrices, feed], (fields: OraclePrices) => ({
    ...fields,
    prices: fields.prices.map((entry, i) =>
      i === UNUSED ? { ...entry, price: { value: 1n, exp: 37n } } : entry,
    ),
  }));
  return withFields(priced, [reserveLayout, reserve], (fields) => {
    const { tokenInfo } = fields.config;
    const scopeConfiguration = { ...tokenInfo.scopeConfiguration, ...chains };
    const changed = { ...tokenInfo, ...terms, scopeConfiguration };
    return { ...fields, config: { ...fields.config, tokenInfo: changed } };
  });
}

const chain = [UNUSED, END, END, END];

test('a price that overflows makes the program panic, it is not a missing price', () => {
  expect(runError(withUnusableEntry({ priceChain: chain }))).toBe('ProgramFailedToComplete');
});

test('a TWAP that overflows is read only if the reserve checks it', () => {
  const off = { maxTwapDivergenceBps: 0n };
  expect(runError(withUnusableEntry({ twapChain: chain }, off))).toBeUndefined();
  const on = { maxTwapDivergenceBps: 100n, maxAgeTwapSeconds: 60n };
  expect(runError(withUnusableEntry({ twapChain: chain }, on))).toBe('ProgramFailedToComplete');
});
