import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { startApi } from '../support/http/test-api.ts';

const VAULT = 'F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri';
const SHARES = 'HTsFozPLmFdKUSYRh3PNU3YHX5sDEcEen2oSWUN3r4rz';
const ERIN = '743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6';
const BORROWER = '7hqemgLRwEaPAdRFkWEdKvWctzQwgGehcxbQkKyX3aL4';

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
])(
  'in the %s contract every %s that %s answers fits its own schema',
  async (document, name, path) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(readDocument(`${document}.openapi.json`), 'contract');
    const fits = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
    const { get } = await startApi();
    const answers = [(await get(path)).body].flat();
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(fits(answer), JSON.stringify(fits.errors)).toBe(true);
  },
);

test('every row of listVaultMetrics fits its own schema', async () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(readDocument('extended.openapi.json'), 'contract');
  const fits = ajv.compile({ $ref: 'contract#/components/schemas/VaultMetricsRow' });
  const { get } = await startApi();
  const { result } = (await get('/kvaults/vaults/metrics')).body as { result: unknown[] };
  expect(result.length).toBe(2);
  for (const row of result) expect(fits(row), JSON.stringify(fits.errors)).toBe(true);
});
