import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  RESERVE_B,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import { vaultHoldings } from './holdings.ts';
import { actualYield, theoreticalYield } from './yield.ts';

/** The rate 0.085 u^2 at a utilization u, with a curve of u / 10 and a take rate of 15 %. */
const supplyApr = (debt: bigint, supply: bigint): Ratio =>
  ratio(85n * debt * debt, 1000n * supply * supply);

const aprs = new Map([
  [RESERVE_A, supplyApr(500_000_000_000n, 1_499_999_000_000n)],
  [RESERVE_B, supplyApr(500_000_000_000n, 999_999_000_000n)],
]);

const distance = (value: Ratio, published: number): number =>
  Math.abs(Number(formatRatio(value, 25)) - published);

test('theoretical and actual yields match the published ones to 1e-8', () => {
  const theoretical = theoreticalYield(exampleVault, aprs);
  expect(distance(theoretical.grossApy, 0.01846708616001491)).toBeLessThan(1e-8);
  expect(distance(theoretical.netApy, 0.0064897556689926805)).toBeLessThan(1e-8);
  const holdings = vaultHoldings(exampleVault, exampleVaultContext.exchanges);
  const actual = actualYield(exampleVault, holdings, aprs);
  expect(distance(actual.grossApy, 0.013740349393015938)).toBeLessThan(1e-8);
  expect(distance(actual.netApy, 0.002284729764368665)).toBeLessThan(1e-8);
});

test('rates are exact: fees are a tenth of 4 % and then 1 %', () => {
  const some = new Map([
    [RESERVE_A, parseDecimal('0.01')],
    [RESERVE_B, parseDecimal('0.05')],
  ]);
  const { grossApr, netApr } = theoreticalYield(exampleVault, some);
  expect(formatRatio(grossApr, 40)).toBe('0.04');
  expect(formatRatio(netApr, 40)).toBe('0.026');
});

test('fees can make a yield negative', () => {
  const none = new Map([
    [RESERVE_A, ratio(0n, 1n)],
    [RESERVE_B, ratio(0n, 1n)],
  ]);
  const { netApr, netApy } = theoreticalYield(exampleVault, none);
  expect(formatRatio(netApr, 40)).toBe('-0.01');
  expect(formatRatio(netApy, 20)).toBe('-0.0099501662516168032832');
});

test('the gross yield of a vault without weights or tokens is zero', () => {
  const vault = vaultWith({});
  const empty = vaultHoldings(vault, new Map());
  expect(formatRatio(theoreticalYield(vault, new Map()).grossApy, 20)).toBe('0');
  expect(formatRatio(actualYield(vault, empty, new Map()).grossApy, 20)).toBe('0');
});

test('a missing rate throws', () => {
  const onlyA = new Map([[RESERVE_A, ratio(1n, 100n)]]);
  expect(catchError(() => theoreticalYield(exampleVault, onlyA))?.code).toBe('MALFORMED_DATA');
});
