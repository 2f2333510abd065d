import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleReserve,
  MARKET,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { unmodeledMarketRules, unmodeledReserveRules } from './releases.ts';

test('a market and a reserve with known rules only have no unmodeled rules', () => {
  expect(unmodeledMarketRules(emptyMarket())).toEqual([]);
  expect(unmodeledReserveRules(exampleReserve())).toEqual([]);
});

test('an active rule has its name, field and value', () => {
  const market = { ...emptyMarket(), permissionedOps: 3n, permissioningAuthority: MARKET };
  expect(unmodeledMarketRules(market)).toEqual([
    { rule: 'permissioned operations', field: 'permissionedOps', value: '3' },
    { rule: 'permissioned operations', field: 'permissioningAuthority', value: MARKET },
  ]);
  const withoutAuthority = { ...emptyMarket(), permissionedOps: 3n };
  expect(unmodeledMarketRules(withoutAuthority)).toEqual([]);
  const authorityOnly = { ...emptyMarket(), permissioningAuthority: MARKET };
  expect(unmodeledMarketRules(authorityOnly)).toEqual([]);
  const reserve = exampleReserve();
  const permissioned = { ...reserve, config: { ...reserve.config, permissionedOps: 5n } };
  expect(unmodeledReserveRules(permissioned)).toEqual([
    { rule: 'permissioned operations', field: 'config.permissionedOps', value: '5' },
  ]);
});

test('a reserve with an interest rate basis above 1 is named', () => {
  const reserve = exampleReserve();
  const rulesOf = (interestRateBasis: number) =>
    unmodeledReserveRules({ ...reserve, config: { ...reserve.config, interestRateBasis } });
  expect([rulesOf(0), rulesOf(1)]).toEqual([[], []]);
  expect(rulesOf(2)).toEqual([
    { rule: 'interest rate basis', field: 'config.interestRateBasis', value: '2' },
  ]);
});
