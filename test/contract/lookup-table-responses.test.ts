import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { readJson, startApi } from '../support/http/test-api.ts';

const extended = JSON.parse(
  readFileSync(new URL('extended.openapi.json', import.meta.url), 'utf8'),
) as object;

test('a search that fits the contract’s own schema gets an answer that does, a refusal too', async () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(extended, 'contract');
  const fits = (name: string) => ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { url } = await startApi();
  const post = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return readJson(await fetch(`${url}/luts/find-minimal`, init));
  };
  const search = { addresses: ['FVMCCRa8VTAm1LrZvEFntgeFht7oXTQto4pLfos3Rgag'], verify: true };
  expect(fits('LookupTableSearch')(search)).toBe(true);
  const { body } = await post(search);
  expect(fits('LookupTableSet')(body)).toBe(true);
  expect((body as { lutAddresses: unknown[] }).lutAddresses).toHaveLength(1);
  expect(fits('LookupTableSearch')({ addresses: [] })).toBe(false);
  expect(fits('ValidationError')((await post({ addresses: [] })).body)).toBe(true);
});
