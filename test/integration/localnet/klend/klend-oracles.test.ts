import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { type OraclePrices, oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  runVariant,
  withAccount,
  withAccountSlot,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  pythAccountData,
  switchboardAccountData,
} from '../../../support/lending/oracle-accounts.ts';
import { decodeReserveAt } from '../../../support/lending/refresh-instructions.ts';

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

const PYTH = toAddress('7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE');
const SWITCHBOARD = toAddress('GvDMxPzN1sCj7L26YDK2HnMRXEQmQ2aemov8YBtPS7vR');

/** The price after the deposit, of a reserve with a Pyth and a Switchboard account besides scope. */
function priceWith({ pythAge, switchboardAge }: { pythAge: bigint; switchboardAge: bigint }) {
  const { at, accounts } = deposit;
  const account = accounts.get(reserve);
  if (account === undefined) throw new Error('no reserve');
  const withOracles = withFields(deposit, [reserveLayout, reserve], (fields) => {
    const { tokenInfo } = fields.config;
    const changed = {
      ...tokenInfo,
      maxTwapDivergenceBps: 0n,
      pythConfiguration: { ...tokenInfo.pythConfiguration, price: PYTH },
      switchboardConfiguration: {
        ...tokenInfo.switchboardConfiguration,
        priceAggregator: SWITCHBOARD,
      },
    };
    return { ...fields, config: { ...fields.config, tokenInfo: changed } };
  });
  const pyth = pythAccountData({ price: 700_000_000n, publishTime: at.unix - pythAge });
  const switchboard = switchboardAccountData({
    value: 9n * 10n ** 18n,
    deviation: 0n,
    slot: at.slot - (switchboardAge * 5n) / 2n,
  });
  const stored = withAccount(
    withAccount(withOracles, PYTH, { ...account, data: pyth }),
    SWITCHBOARD,
    { ...account, data: switchboard },
  );
  const variant = withAccountSlot(
    withAccountSlot(stored, ['refreshReserve', 'pythOracle'], PYTH),
    ['refreshReserve', 'switchboardPriceOracle'],
    SWITCHBOARD,
  );
  const { live, error } = runVariant(variant);
  expect(error).toBeUndefined();
  return decodeReserveAt(live, reserve).liquidity.marketPriceSf;
}

test('the newest of the oracles of a reserve sets its price', () => {
  const recorded = decodeReserveAt(runVariant(deposit).live, reserve).liquidity.marketPriceSf;
  const old = 10_000n;
  expect(priceWith({ pythAge: 0n, switchboardAge: old })).toBe(sfFromInt(7n));
  expect(priceWith({ pythAge: old, switchboardAge: 0n })).toBe(sfFromInt(9n));
  expect(priceWith({ pythAge: old, switchboardAge: old })).toBe(recorded);
});

test('an oracle that the reserve does not name is refused: 6054', () => {
  const other = withAccountSlot(deposit, ['refreshReserve', 'pythOracle'], feed);
  expect(runError(other)).toBe(6054);
});
