import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { goldenUser, goldenVault } from '../support/golden/golden-addresses.ts';
import { goldenApi } from '../support/http/test-api.ts';

const VAULT = goldenVault('Steady USDC').address;
const SHARES = goldenVault('Steady USDC').sharesMint;
const ERIN = goldenUser('erin').address;
const BORROWER = goldenUser('carol').address;

const readDocument = (name: string): object =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as object;

test.each([
  ['core', 'Vault', '/kvaults/vaults'],
  ['core', 'Vault', `/kvaults/vaults/${VAULT}`],
  ['core', 'VaultMetrics', `/kvaults/vaults/${VAULT}/metrics`],
  ['core', 'VaultShareBalance', `/kvaults/users/${ERIN}/positions`],
  ['core', 'VaultShareBalance', `/kvaults/users/${ERIN}/positions/${VAULT}`],
  ['core', 'ShareMintMetadata', `/kvaults/mints/${SHARES}/metadata`],
  ['extended', 'VaultAllocations', `/kvaults/vaults/${VAULT}/allocations`],
  ['extended', 'OraclePrice', '/oracles/prices'],
  ['extended', 'MarketOraclePrices', '/oracles/prices?markets=all'],
  ['extended', 'SlotDuration', '/slots/duration'],
  ['extended', 'Portfolio', `/portfolio/${ERIN}`],
  ['extended', 'Portfolio', `/portfolio/${BORROWER}`],
  ['extended', 'PortfolioPendingRewards', `/portfolio/${BORROWER}/rewards`],
])('%s contract: every %s of %s matches its schema', async (document, name, path) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(readDocument(`${document}.openapi.json`), 'contract');
  const validate = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { get } = await goldenApi();
  const items = [(await get(path)).body].flat();
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(validate(item), JSON.stringify(validate.errors)).toBe(true);
});

test('every row of listVaultMetrics matches its schema', async () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(readDocument('extended.openapi.json'), 'contract');
  const validate = ajv.compile({ $ref: 'contract#/components/schemas/VaultMetricsRow' });
  const { get } = await goldenApi();
  const { result } = (await get('/kvaults/vaults/metrics')).body as { result: unknown[] };
  expect(result.length).toBe(2);
  for (const row of result) expect(validate(row), JSON.stringify(validate.errors)).toBe(true);
});
