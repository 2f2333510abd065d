import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { startApi } from '../support/http/test-api.ts';

const contract = JSON.parse(
  readFileSync(new URL('core.openapi.json', import.meta.url), 'utf8'),
) as object;

const MARKET = '9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES';
const OWNER = 'BcgScEraToUtTtDmoRmXr3AsMJAktt5k5kcLMcXa5iwN';
const LOAN = '2wgmSeeN2Y7jCYe2S1SxPYSFabdg7gBAeosRUxF29zRD';

test.each([
  ['MarketConfig', '/v2/svc-market'],
  ['MarketConfig', `/v2/svc-market/${MARKET}`],
  ['ReserveMetrics', `/svc-market/${MARKET}/reserves/metrics`],
  ['LeverageMetrics', `/svc-market/${MARKET}/leverage/metrics`],
  ['MarketReserveAccounts', `/svc-market/reserves/account-data?markets=${MARKET}`],
  ['UserObligation', `/svc-market/${MARKET}/users/${OWNER}/obligations`],
  ['LoanReport', `/klend/loans/${LOAN}`],
])('every %s that %s answers fits the contract’s own schema', async (name, path) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const fits = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { get } = await startApi();
  const answers = [(await get(path)).body].flat();
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) expect(fits(answer), JSON.stringify(fits.errors)).toBe(true);
});
