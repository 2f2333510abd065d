import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { compareRatios, divRatioOrZero } from '../../base/numbers/ratio.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { type PerCurrency, type SharePrices, type ShareTrade, viewVaultPnl } from './vault-pnl.ts';

const DECIMALS = 6n;

const texts = ({ usd, sol, token }: PerCurrency<Ratio>): string[] =>
  [usd, sol, token].map((value) => formatRatio(value, 60));

const at = (seconds: number) => toUnixSeconds(BigInt(seconds));

/** USD prices of a share, of SOL and of the token. */
const priced = (share: string, sol: string, token: string): SharePrices => ({
  tokensPerShare: divRatioOrZero(parseDecimal(share), parseDecimal(token)),
  tokenPrice: parseDecimal(token),
  solPrice: parseDecimal(sol),
});

type Trade = readonly [kind: ShareTrade['kind'], shares: bigint];

const tradesAt = (prices: SharePrices, ...trades: readonly Trade[]): ShareTrade[] =>
  trades.map(([kind, shares], i) => ({ at: at(i), kind, shares, prices }));

const last = at(1_000_000);

/** Two purchases, a sale and the remaining position, as in the example of the contract. */
const example = () => {
  const events: ShareTrade[] = [
    {
      at: at(1_774_915_200),
      kind: 'buy',
      shares: 24_404_000n,
      prices: priced('1.0447733902', '154.4417', '0.99988'),
    },
    {
      at: at(1_775_037_723),
      kind: 'buy',
      shares: 956_935_000n,
      prices: priced('1.0449017733902', '155.77120944', '0.99990421'),
    },
    {
      at: at(1_778_325_800),
      kind: 'sell',
      shares: 29_619_956n,
      prices: priced('1.0497118820417', '169.0118', '0.99979933'),
    },
  ];
  const end = {
    at: at(1_778_475_600),
    prices: priced('1.0498002', '171.40962215', '0.99981254'),
  };
  return viewVaultPnl(events, end, DECIMALS);
};

test('example, second purchase: average cost in three currencies', () => {
  const entry = example().history[1];
  if (entry === undefined) throw new Error('the entry is missing');
  expect(entry.type).toBe('buy');
  expect(formatRatio(entry.position, 40)).toBe('981.339');
  expect(formatRatio(entry.quantity, 40)).toBe('956.935');
  expect(texts(entry.tokenPrice)).toEqual(['1', '155.77120944', '0.99990421']);
  expect(texts(entry.sharePrice)).toEqual([
    '1.0449017733902',
    '0.006707926176773221823166194966',
    '1.045001874119721928163498781548',
  ]);
  expect(texts(entry.costBasis)).toEqual([
    '1025.399728333591837',
    '6.584138491389264351897417372093',
    '1025.49857819037045704958440012414',
  ]);
  expect(texts(entry.realizedPnl)).toEqual(['0', '0', '0']);
  expect(texts(entry.pnl)).toEqual([
    '0.0031330633736408',
    '-0.001388925000807621173326770206',
    '0.002515956403340212455330661672',
  ]);
});

test('example, sale: reduces the cost proportionally and realizes the gain', () => {
  const entry = example().history[2];
  if (entry === undefined) throw new Error('the entry is missing');
  expect(formatRatio(entry.position, 40)).toBe('951.719044');
  expect(texts(entry.costBasis)).toEqual([
    '994.44987834734555153300116269709',
    '6.385408090974263634535150083138',
    '994.545744598654105654695804287265',
  ]);
  expect(texts(entry.realizedPnl)).toEqual([
    '0.14256977250605869820116269709',
    '-0.01476443023568575731095726208',
    '0.145826735203795836256278004958',
  ]);
  expect(texts(entry.investment)).toEqual([
    '994.3073085748394928348',
    '6.400172521209949391846107345219',
    '994.399917863450309818439526282306',
  ]);
});

test('example, end: the position is marked to market, and the totals', () => {
  const { history, totalPnl, totalCostBasis } = example();
  const entry = history[3];
  if (entry === undefined) throw new Error('the entry is missing');
  expect(history).toHaveLength(4);
  expect(entry.type).toBe('mark-to-market');
  expect(entry.quantity).toEqual(entry.position);
  expect(texts(entry.positionValue)).toEqual([
    '999.1148427350088',
    '5.828814218263001987487900194289',
    '999.30217192015695262233858359088',
  ]);
  expect(texts(totalPnl)).toEqual([
    '4.8075341601693071652',
    '-0.57135830294694740435820715093',
    '4.902254056706642803899057308574',
  ]);
  expect(texts(totalCostBasis)).toEqual([
    '994.44987834734555153300116269709',
    '6.385408090974263634535150083138',
    '994.545744598654105654695804287265',
  ]);
});

test('a wallet that never had shares has no history and no profit', () => {
  const { history, totalPnl, totalCostBasis } = viewVaultPnl(
    [],
    { at: last, prices: priced('1', '100', '1') },
    DECIMALS,
  );
  expect(history).toEqual([]);
  expect(texts(totalPnl)).toEqual(['0', '0', '0']);
  expect(texts(totalCostBasis)).toEqual(['0', '0', '0']);
});

test('without USD prices the profit in the token is still computed', () => {
  const prices = {
    tokensPerShare: ratio(2n, 1n),
    tokenPrice: ratio(0n, 1n),
    solPrice: ratio(0n, 1n),
  };
  const later = { at: last, prices: { ...prices, tokensPerShare: ratio(3n, 1n) } };
  const { totalPnl } = viewVaultPnl(tradesAt(prices, ['buy', 5_000_000n]), later, DECIMALS);
  expect(texts(totalPnl)).toEqual(['0', '0', '5']);
});

test('throws for a sale above the position, or events out of order', () => {
  const prices = priced('1', '100', '1');
  const end = { at: last, prices };
  const pnlOf = (events: readonly ShareTrade[]) =>
    catchError(() => viewVaultPnl(events, end, DECIMALS))?.code;
  expect(pnlOf(tradesAt(prices, ['buy', 5n], ['sell', 6n]))).toBe('MALFORMED_DATA');
  expect(pnlOf(tradesAt(prices, ['sell', 1n]))).toBe('MALFORMED_DATA');
  expect(pnlOf(tradesAt(prices, ['buy', -1n]))).toBe('MALFORMED_DATA');
  expect(pnlOf(tradesAt(prices, ['buy', 5n], ['sell', 5n]).reverse())).toBe('MALFORMED_DATA');
  const late = tradesAt(prices, ['buy', 5n]).map((event) => ({ ...event, at: at(1_000_001) }));
  expect(pnlOf(late)).toBe('MALFORMED_DATA');
});

/** Prices in chain precision: shares by 2^60 and their number, tokens by 2^60 or 10^8. */
const price = fc.record({
  tokensPerShare: fc
    .tuple(fc.bigInt(1n << 50n, 1n << 70n), fc.bigInt(1n, 10n ** 12n))
    .map(([aum, issued]) => ratio(aum * 10n, issued << 60n)),
  tokenPrice: fc.bigInt(1n << 40n, 1n << 75n).map((bits) => ratio(bits, 1n << 60n)),
  solPrice: fc.bigInt(10n ** 8n, 10n ** 11n).map((units) => ratio(units, 10n ** 8n)),
});

/** A sale is a part of the position, so that any sequence is valid. */
const trade = fc.record({
  prices: price,
  isSale: fc.boolean(),
  amount: fc.bigInt(1n, 10n ** 15n),
});

const history = fc.array(trade, { minLength: 1, maxLength: 12 }).map((trades): ShareTrade[] => {
  let held = 0n;
  return trades.map(({ prices, isSale, amount }, i) => {
    const sells = isSale && held > 0n;
    const shares = sells ? (amount % held) + 1n : amount;
    held += sells ? -shares : shares;
    return { at: at(i), kind: sells ? 'sell' : 'buy', shares, prices };
  });
});

const TINY = ratio(1n, 10n ** 29n);

function expectNear(actual: Ratio, expected: Ratio): void {
  const difference = ratio(
    actual.numerator * expected.denominator - expected.numerator * actual.denominator,
    actual.denominator * expected.denominator,
  );
  const size = difference.numerator < 0n ? -difference.numerator : difference.numerator;
  expect(compareRatios({ ...difference, numerator: size }, TINY)).toBeLessThanOrEqual(0);
}

const UNITS = ['usd', 'sol', 'token'] as const;

test('property: profit is unrealized plus realized gain, and value minus investment', () => {
  assertProperty(
    fc.property(history, price, (events, prices) => {
      for (const entry of viewVaultPnl(events, { at: last, prices }, DECIMALS).history) {
        for (const unit of UNITS) {
          const numeratorOf = (
            name: 'positionValue' | 'costBasis' | 'realizedPnl' | 'investment',
          ) => entry[name][unit].numerator;
          const { denominator } = entry.pnl[unit];
          const byCost =
            numeratorOf('positionValue') - numeratorOf('costBasis') + numeratorOf('realizedPnl');
          expectNear(entry.pnl[unit], ratio(byCost, denominator));
          const byFlows = numeratorOf('positionValue') - numeratorOf('investment');
          expectNear(entry.pnl[unit], ratio(byFlows, denominator));
        }
      }
    }),
    100,
  );
});

test('property: at a constant price there is no profit or loss', () => {
  assertProperty(
    fc.property(history, price, (events, prices) => {
      const flat = events.map((event) => ({ ...event, prices }));
      const held = flat.reduce(
        (sum, { kind, shares }) => sum + (kind === 'buy' ? shares : -shares),
        0n,
      );
      const sold: ShareTrade[] = [...flat, { at: at(100), kind: 'sell', shares: held, prices }];
      for (const entry of viewVaultPnl(sold, { at: last, prices }, DECIMALS).history) {
        expect(texts(entry.pnl)).toEqual(['0', '0', '0']);
      }
      const { totalCostBasis } = viewVaultPnl(sold, { at: last, prices }, DECIMALS);
      expect(texts(totalCostBasis)).toEqual(['0', '0', '0']);
    }),
    100,
  );
});

test('property: splitting an event does not change the result', () => {
  assertProperty(
    fc.property(history, fc.nat(), price, (events, seed, prices) => {
      const index = seed % events.length;
      const split = events.flatMap((event, i): ShareTrade[] => {
        if (i !== index) return [event];
        const part = event.shares / 3n;
        return [
          { ...event, shares: part },
          { ...event, shares: event.shares - part },
        ];
      });
      const end = { at: last, prices };
      const whole = viewVaultPnl(events, end, DECIMALS);
      const parts = viewVaultPnl(split, end, DECIMALS);
      for (const unit of UNITS) {
        expectNear(parts.totalPnl[unit], whole.totalPnl[unit]);
        expectNear(parts.totalCostBasis[unit], whole.totalCostBasis[unit]);
      }
    }),
    100,
  );
});

test('property: at constant token and SOL prices all currencies agree', () => {
  assertProperty(
    fc.property(history, price, price, (events, constant, prices) => {
      const { tokenPrice, solPrice } = constant;
      const constantEvents = events.map((event) => ({
        ...event,
        prices: { ...event.prices, tokenPrice, solPrice },
      }));
      const end = { at: last, prices: { ...prices, tokenPrice, solPrice } };
      const { totalPnl } = viewVaultPnl(constantEvents, end, DECIMALS);
      const asUsd = (value: Ratio, unitPrice: Ratio) =>
        Number(formatRatio(value, 25)) * Number(formatRatio(unitPrice, 25));
      const usd = Number(formatRatio(totalPnl.usd, 25));
      const size = Math.max(1, Math.abs(usd));
      expect(asUsd(totalPnl.token, tokenPrice) / size).toBeCloseTo(usd / size, 9);
      expect(asUsd(totalPnl.sol, solPrice) / size).toBeCloseTo(usd / size, 9);
    }),
    100,
  );
});
