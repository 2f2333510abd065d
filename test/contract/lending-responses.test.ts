import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { goldenLoan, goldenMarket, goldenUser } from '../support/golden/golden-addresses.ts';
import { goldenApi } from '../support/http/test-api.ts';

const contract = JSON.parse(
  readFileSync(new URL('core.openapi.json', import.meta.url), 'utf8'),
) as object;

const MARKET = goldenMarket('Main Market').address;
const OWNER = goldenUser('treasury').address;
const LOAN = goldenLoan('treasury');

test.each([
  ['MarketConfig', '/v2/svc-market'],
  ['MarketConfig', `/v2/svc-market/${MARKET}`],
  ['ReserveMetrics', `/svc-market/${MARKET}/reserves/metrics`],
  ['LeverageMetrics', `/svc-market/${MARKET}/leverage/metrics`],
  ['MarketReserveAccounts', `/svc-market/reserves/account-data?markets=${MARKET}`],
  ['UserObligation', `/svc-market/${MARKET}/users/${OWNER}/obligations`],
  ['LoanReport', `/klend/loans/${LOAN}`],
])('every %s of %s matches the contract', async (name, path) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const validate = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { get } = await goldenApi();
  const items = [(await get(path)).body].flat();
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(validate(item), JSON.stringify(validate.errors)).toBe(true);
});
