import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { type OraclePrices, oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { currentPrograms, programsOf } from '../../../support/flows/current-programs.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
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

const STORED = 1_210_567_579_837_189_324n;

type ZeroCase = {
  readonly chains?: Partial<TokenInfo['scopeConfiguration']>;
  readonly terms?: Partial<TokenInfo>;
  readonly pyth?: Parameters<typeof pythAccountData>[0];
  /** Of the stored price of 1.05, which was loaded with all checks and may be 60 seconds old. */
  readonly age?: bigint;
};

/** The refresh of a reserve whose last price entry is zero. */
function zeroCase({ chains, terms, pyth, age = 30n }: ZeroCase) {
  const { at } = deposit;
  const priced = withFields(deposit, [oraclePrices, feed], (fields: OraclePrices) => ({
    ...fields,
    prices: fields.prices.map((entry, i) => {
      const unixTimestamp = toUnixSeconds(at.unix - 5n);
      if (i === UNUSED) return { ...entry, unixTimestamp, price: { value: 0n, exp: 0n } };
      return i === GOOD ? { ...entry, unixTimestamp, price: { value: 105n, exp: 2n } } : entry;
    }),
  }));
  const stored = withFields(priced, [reserveLayout, reserve], ({ config, liquidity, ...rest }) => {
    const { tokenInfo } = config;
    const changed = {
      ...tokenInfo,
      maxAgePriceSeconds: 60n,
      maxTwapDivergenceBps: 0n,
      pythConfiguration: pyth === undefined ? tokenInfo.pythConfiguration : { price: PYTH },
      ...terms,
      scopeConfiguration: { ...tokenInfo.scopeConfiguration, ...chains },
    };
    return {
      ...rest,
      config: { ...config, tokenInfo: changed },
      lastUpdate: { ...rest.lastUpdate, priceStatus: 63 },
      liquidity: {
        ...liquidity,
        marketPriceSf: sfFromBits(STORED),
        marketPriceLastUpdatedTs: toUnixSeconds(at.unix - age),
      },
    };
  });
  const account = stored.accounts.get(reserve);
  if (account === undefined) throw new Error('no reserve');
  const only = { ...stored, instructions: [variantInstruction(stored, 'refreshReserve')] };
  if (pyth === undefined) return only;
  const data = pythAccountData({ publishTime: at.unix, ...pyth });
  const withPyth = withAccount(only, PYTH, { ...account, data });
  return withAccountSlot(withPyth, ['refreshReserve', 'pythOracle'], PYTH);
}

const GOOD = 510;
const ZERO_CHAIN = { priceChain: [UNUSED, END, END, END] };
const ZERO_FACTOR = { priceChain: [GOOD, UNUSED, END, END] };
const GOOD_CHAIN = { priceChain: [GOOD, END, END, END] };
const NO_SCOPE = { priceFeed: ZERO_ADDRESS };

function pricedReserve(zero: ZeroCase, programs = currentPrograms) {
  const variant = zeroCase(zero);
  const { live, error } = runVariant(variant, programs);
  expect(error).toBeUndefined();
  const { liquidity, lastUpdate } = decodeReserveAt(live, reserve);
  return {
    price: liquidity.marketPriceSf,
    age: variant.at.unix - liquidity.marketPriceLastUpdatedTs,
    status: lastUpdate.priceStatus,
  };
}

test.each([
  ['a value', ZERO_CHAIN],
  ['a factor', ZERO_FACTOR],
])('%s of zero leaves the stored price, its time and its checks', (_, chains) => {
  expect(pricedReserve({ chains })).toEqual({ price: STORED, age: 30n, status: 63 });
  expect(pricedReserve({ chains, age: 60n })).toEqual({ price: STORED, age: 60n, status: 0 });
});

test('before release 1.25 a zero of scope is loaded', () => {
  const { price, age } = pricedReserve({ chains: ZERO_CHAIN }, programsOf('1.24'));
  expect([price, age]).toEqual([0n, 5n]);
});

test('a newer zero of Pyth gives way to scope', () => {
  const zero = { chains: GOOD_CHAIN, pyth: { price: 0n } };
  expect(pricedReserve(zero)).toMatchObject({ price: STORED, age: 5n });
  expect(pricedReserve({ ...zero, chains: ZERO_CHAIN })).toMatchObject({ age: 30n });
});

/** Without scope the instruction names the program in place of its account. */
const withoutScope = (pyth: ZeroCase['pyth']) =>
  withAccountSlot(
    zeroCase({ chains: NO_SCOPE, pyth }),
    ['refreshReserve', 'scopePrices'],
    KLEND_PROGRAM,
  );

test('a zero of the only oracle is no reading, before release 1.25 it fails: 6044', () => {
  const variant = withoutScope({ price: 0n });
  const { live, error } = runVariant(variant, currentPrograms);
  expect(error).toBeUndefined();
  expect(decodeReserveAt(live, reserve).liquidity.marketPriceSf).toBe(STORED);
  expect(runError(variant, programsOf('1.24'))).toBe(6044);
});

test('no readable oracle fails: 6044', () => {
  expect(runError(withoutScope({ level: 0 }), currentPrograms)).toBe(6044);
});

test('a negative Pyth price makes the program panic', () => {
  expect(runError(withoutScope({ price: -1n }), currentPrograms)).toBe('ProgramFailedToComplete');
});

test('a moving average of zero matters only if the reserve compares it', () => {
  const pyth = { price: 500_000_000n, emaPrice: 0n };
  const off = withoutScope(pyth);
  const priceOf = (variant: typeof off) =>
    decodeReserveAt(runVariant(variant, currentPrograms).live, reserve).liquidity.marketPriceSf;
  expect(priceOf(off)).toBe(sfFromInt(5n));
  const on = withFields(off, [reserveLayout, reserve], ({ config, ...rest }) => ({
    ...rest,
    config: {
      ...config,
      tokenInfo: { ...config.tokenInfo, maxTwapDivergenceBps: 100n, maxAgeTwapSeconds: 60n },
    },
  }));
  expect(priceOf(on)).toBe(STORED);
});

test('a TWAP of zero in the only oracle is no reading if the reserve compares it', () => {
  const chains = { ...GOOD_CHAIN, twapChain: [UNUSED, END, END, END] };
  expect(pricedReserve({ chains })).toMatchObject({ age: 5n });
  const terms = { maxTwapDivergenceBps: 100n, maxAgeTwapSeconds: 60n };
  expect(pricedReserve({ chains, terms })).toEqual({ price: STORED, age: 30n, status: 63 });
});

test('a reserve in emergency mode reads no oracle, so none is checked', () => {
  const emergency = withFields(
    withAccountSlot(zeroCase({}), ['refreshReserve', 'pythOracle'], feed),
    [reserveLayout, reserve],
    ({ config, ...rest }) => ({ ...rest, config: { ...config, emergencyMode: 1 } }),
  );
  const { live, error } = runVariant(emergency, currentPrograms);
  expect(error).toBeUndefined();
  const { liquidity, lastUpdate } = decodeReserveAt(live, reserve);
  expect([liquidity.marketPriceSf, liquidity.marketPriceLastUpdatedTs]).toEqual([STORED, 0n]);
  expect(lastUpdate.priceStatus).toBe(0);
});
