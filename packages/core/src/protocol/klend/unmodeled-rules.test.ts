import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleReserve,
  MARKET,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { unmodeledMarketRules, unmodeledReserveRules } from './unmodeled-rules.ts';

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
  const authorityOnly = { ...emptyMarket(), permissioningAuthority: MARKET };
  expect(unmodeledMarketRules(authorityOnly)).toEqual([]);
  const reserve = exampleReserve();
  const rewarded = {
    ...reserve,
    config: { ...reserve.config, rewardsAmountPerSlot: toLamports(5n) },
  };
  expect(unmodeledReserveRules(rewarded)).toEqual([
    { rule: 'reserve rewards', field: 'config.rewardsAmountPerSlot', value: '5' },
  ]);
});
