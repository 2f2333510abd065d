import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from '#core/base/encoding/base64.ts';
import { formatRatio } from '#core/base/numbers/decimal.ts';
import { klend } from '#core/protocol/index.ts';
import { evaluate } from '../support/guides/evaluate.ts';
import { type GuideBlock, listGuideBlocks } from '../support/guides/guide-blocks.ts';
import {
  type Decimal50,
  parseDecimal50,
  toDecimal50,
} from '../support/reference/reference-lending.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

type Samples = {
  getLoan: { response: LoanReport };
  getVault: { response: { state: { pendingFees: string; creationTimestamp: number } } };
  getVaultMetrics: { response: Record<string, string> };
  getObligationPnl: { response: { usd: string; invested: { usd: string } } };
  getUserVaultPnlHistory: { response: { history: PnlEntry[] } };
};
type LoanReport = {
  timestamp: number;
  loanInfo: {
    currentLtv: number;
    maxLtv: number;
    liquidationLtv: number;
    collateral: { deposits: { tokenValue: string; maxWithdrawableValue: string }[] };
    debt: { borrows: { tokenValue: string; maxBorrowableValue: string }[] };
  };
};
type ByUnit = { readonly token: string };
type PnlEntry = {
  quantity: string;
  position: string;
  sharePrice: ByUnit;
  costBasis: ByUnit;
  positionValue: ByUnit;
  pnl: ByUnit;
};

/** What the reference shows. */
const samples = JSON.parse(read('packages/server/generated/openapi-examples.json')) as Samples;

/** Recorded figures that the lines of an example must have, by its heading. */
const recorded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Rates of a reserve': recordedReserve(),
  'Health of a loan': recordedLoan(),
  'Share price of a vault': recordedVault(),
  'Trailing APY of a vault': {
    tokensPerShareNow: metric('tokensPerShare'),
    createdAt: String(samples.getVault.response.state.creationTimestamp),
    now: String(samples.getLoan.response.timestamp / 1000),
    apy30d: metric('apy30d'),
  },
  'Profit and loss of vault shares': recordedShares(),
  'Profit and loss of a loan': {
    invested: samples.getObligationPnl.response.invested.usd,
    profit: samples.getObligationPnl.response.usd,
    debt: samples.getLoan.response.loanInfo.debt.borrows[0]?.tokenValue ?? '',
  },
};

function recordedReserve() {
  const data = decodeBase64(read('docs/examples/reserve.base64').trim());
  const reserve = klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });
  const { liquidity } = reserve;
  const tokens = (value: bigint, scale = 1n) => decimalText(toDecimal50(value, scale * 10n ** 6n));
  const sf = 2n ** 60n;
  // the figures of the code that serves the API
  const basis = klend.math.interestRateBasis(reserve.config, klend.NEWEST_LENDING_RULES);
  const slotMs = { numerator: 400n, denominator: 1n };
  const rates = klend.math.reserveRates({ ...reserve, basis }, slotMs);
  return {
    available: tokens(liquidity.totalAvailableAmount),
    borrowed: tokens(liquidity.borrowedAmountSf, sf),
    protocolFee: tokens(liquidity.accumulatedProtocolFeesSf, sf),
    referrerFee: tokens(liquidity.pendingReferrerFeesSf, sf),
    borrowApr: formatRatio(rates.borrowApr, 20),
    supplyApr: formatRatio(rates.supplyApr, 20),
    borrowApy: formatRatio(rates.borrowApy, 20),
    supplyApy: formatRatio(rates.supplyApy, 20),
  };
}

function recordedLoan() {
  const { loanInfo } = samples.getLoan.response;
  const [sol, jitoSol] = loanInfo.collateral.deposits;
  const [debt] = loanInfo.debt.borrows;
  return {
    sol: sol?.tokenValue ?? '',
    jitoSol: jitoSol?.tokenValue ?? '',
    debt: debt?.tokenValue ?? '',
    currentLtv: String(loanInfo.currentLtv),
    maxLtv: String(loanInfo.maxLtv),
    liquidationLtv: String(loanInfo.liquidationLtv),
    canBorrow: debt?.maxBorrowableValue ?? '',
    canWithdraw: sol?.maxWithdrawableValue ?? '',
  };
}

function recordedVault() {
  const fees = parseDecimal50(samples.getVault.response.state.pendingFees);
  return {
    available: metric('tokensAvailable'),
    invested: metric('tokensInvested'),
    pendingFees: decimalText(fees / 10n ** 6n),
    sharesIssued: metric('sharesIssued'),
    tokensPerShare: metric('tokensPerShare'),
    sharePrice: metric('sharePrice'),
  };
}

function recordedShares() {
  const [first, second] = samples.getUserVaultPnlHistory.response.history;
  return {
    firstShares: first?.quantity ?? '',
    firstPrice: first?.sharePrice.token ?? '',
    firstCost: first?.costBasis.token ?? '',
    secondShares: second?.quantity ?? '',
    secondPrice: second?.sharePrice.token ?? '',
    costBasis: second?.costBasis.token ?? '',
    position: second?.position ?? '',
    positionValue: second?.positionValue.token ?? '',
    profit: second?.pnl.token ?? '',
  };
}

function metric(name: string): string {
  return samples.getVaultMetrics.response[name] ?? '';
}

function decimalText(value: Decimal50): string {
  const digits = value.toString().padStart(51, '0');
  return `${digits.slice(0, -50)}.${digits.slice(-50)}`;
}

/** One unit of the last digit. */
function lastDigit(text: string): Decimal50 {
  const [, fraction = ''] = text.split('.');
  return toDecimal50(1n, 10n ** BigInt(fraction.length));
}

const distance = (a: Decimal50, b: Decimal50): Decimal50 => (a > b ? a - b : b - a);

type Line = { readonly name: string; readonly expression: string; readonly result: string };

function linesOf({ text }: GuideBlock): Line[] {
  return text.split('\n').map((line) => {
    const [name = '', expression = '', result = expression] = line
      .split(' = ')
      .map((part) => part.trim());
    return { name, expression, result };
  });
}

const blocks = listGuideBlocks('numbers').filter(({ language }) => language === 'text');

test('every formula has an example with recorded figures', () => {
  const headings = [...new Set(blocks.map(({ heading }) => heading))];
  expect(headings).toEqual(Object.keys(recorded));
});

describe.each(
  blocks.map((block) => [`${block.heading}: ${linesOf(block).at(-1)?.name}`, block] as const),
)('%s', (_, block) => {
  test('every line is the result of its arithmetic', () => {
    const known = new Map<string, Decimal50>();
    for (const { name, expression, result } of linesOf(block)) {
      const value = evaluate(expression, known);
      known.set(name, value);
      const error = distance(value, parseDecimal50(result));
      expect(error <= lastDigit(result), `${name}: ${decimalText(value)}, not ${result}`).toBe(
        true,
      );
    }
    expect(known.size).toBeGreaterThan(4);
  });

  test('its figures are the recorded ones', () => {
    const figures = recorded[block.heading] ?? {};
    // the sale of the second block did not happen
    const isInvented = block.text.includes('costBasisLeft');
    let compared = 0;
    for (const { name, result } of linesOf(block)) {
      const expected = figures[name];
      if (expected === undefined || (isInvented && name === 'profit')) continue;
      compared += 1;
      const error = distance(parseDecimal50(expected), parseDecimal50(result));
      expect(error <= lastDigit(result), `${name}: ${expected}, not ${result}`).toBe(true);
    }
    expect(compared).toBeGreaterThan(1);
  });
});
