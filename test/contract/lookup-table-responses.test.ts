import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { goldenReserve } from '../support/golden/golden-addresses.ts';
import { goldenApi, readJson } from '../support/http/test-api.ts';

const extended = JSON.parse(
  readFileSync(new URL('extended.openapi.json', import.meta.url), 'utf8'),
) as object;

test('requests, responses and errors of the search match the contract', async () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(extended, 'contract');
  const validatorOf = (name: string) =>
    ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { url } = await goldenApi();
  const post = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return readJson(await fetch(`${url}/luts/find-minimal`, init));
  };
  const search = { addresses: [goldenReserve('JLP Market', 'JLP').address], verify: true };
  expect(validatorOf('LookupTableSearch')(search)).toBe(true);
  const { body } = await post(search);
  expect(validatorOf('LookupTableSet')(body)).toBe(true);
  expect((body as { lutAddresses: unknown[] }).lutAddresses).toHaveLength(1);
  expect(validatorOf('LookupTableSearch')({ addresses: [] })).toBe(false);
  expect(validatorOf('ValidationError')((await post({ addresses: [] })).body)).toBe(true);
});
