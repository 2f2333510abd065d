import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { startFlowApi } from '../support/flows/flow-api.ts';
import { flowRequests } from '../support/flows/flow-requests.ts';

const contract = JSON.parse(
  readFileSync(new URL('core.openapi.json', import.meta.url), 'utf8'),
) as object;

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(contract, 'contract');
const validatorOf = (name: string) => ajv.compile({ $ref: `contract#/components/schemas/${name}` });

const requests: Readonly<Record<string, string>> = {
  '/ktx/klend/deposit': 'LendingActionRequest',
  '/ktx/klend/borrow': 'LendingActionRequest',
  '/ktx/klend/repay': 'LendingExitRequest',
  '/ktx/klend/withdraw': 'LendingExitRequest',
  '/ktx/kvault/deposit': 'VaultDepositRequest',
  '/ktx/kvault/withdraw': 'VaultWithdrawRequest',
};

/** Each test starts a server. */

const paths = Object.keys(requests);
/** The first golden flow of each path. */
const flows = paths.flatMap((path) => flowRequests().find((flow) => flow.path === path) ?? []);

test.each(flows)(
  '$path: a valid request gets a response that matches the contract',
  async (flow) => {
    const { path, body } = flow;
    const { post } = await startFlowApi(flow);
    expect(validatorOf(requests[path] ?? '')(body)).toBe(true);
    for (const query of ['', '?preview=true']) {
      const transaction = await post(`${path}${query}`, body);
      expect(validatorOf('UnsignedTransaction')(transaction.body)).toBe(true);
      const bundle = await post(`${path}-instructions${query}`, body);
      expect(validatorOf('InstructionBundle')(bundle.body)).toBe(true);
    }
    const invalid = { ...body, amount: '-1' };
    expect(validatorOf(requests[path] ?? '')(invalid)).toBe(false);
    const rejected = await post(path, invalid);
    expect([rejected.status, validatorOf('BuilderError')(rejected.body)]).toEqual([400, true]);
  },
);

test('every builder of the contract is tested', () => {
  expect(flows.map(({ path }) => path)).toEqual(paths);
});

test.each(flows)('$path: a preview matches the served document', async (flow) => {
  const { post, get } = await startFlowApi(flow);
  const document = (await get('/openapi.json')).body as object;
  const served = new Ajv2020({ strict: false, allowUnionTypes: true });
  served.addSchema(document, 'served');
  const isPreview = served.compile({ $ref: 'served#/components/schemas/Preview' });
  const { body } = await post(`${flow.path}?preview=true`, flow.body);
  const { preview } = body as { preview: unknown };
  expect(isPreview(preview), JSON.stringify(isPreview.errors)).toBe(true);
});
