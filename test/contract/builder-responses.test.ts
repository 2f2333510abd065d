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
const fits = (name: string) => ajv.compile({ $ref: `contract#/components/schemas/${name}` });

const requests: Readonly<Record<string, string>> = {
  '/ktx/klend/deposit': 'LendingActionRequest',
  '/ktx/klend/borrow': 'LendingActionRequest',
  '/ktx/klend/repay': 'LendingExitRequest',
  '/ktx/klend/withdraw': 'LendingExitRequest',
  '/ktx/kvault/deposit': 'VaultDepositRequest',
  '/ktx/kvault/withdraw': 'VaultWithdrawRequest',
};

/** A server is started in each. */
const slow = { timeout: 30_000 };

const paths = Object.keys(requests);
/** One of each, out of the golden flows. */
const flows = paths.flatMap((path) => flowRequests().find((asked) => asked.path === path) ?? []);

test.each(flows)(
  '$path: what fits the contract’s own schemas gets an answer that does',
  slow,
  async (asked) => {
    const { path, body } = asked;
    const { post } = await startFlowApi(asked);
    expect(fits(requests[path] ?? '')(body)).toBe(true);
    for (const query of ['', '?preview=true']) {
      const transaction = await post(`${path}${query}`, body);
      expect(fits('UnsignedTransaction')(transaction.body)).toBe(true);
      const bundle = await post(`${path}-instructions${query}`, body);
      expect(fits('InstructionBundle')(bundle.body)).toBe(true);
    }
    const wrong = { ...body, amount: '-1' };
    expect(fits(requests[path] ?? '')(wrong)).toBe(false);
    const refused = await post(path, wrong);
    expect([refused.status, fits('BuilderError')(refused.body)]).toEqual([400, true]);
  },
);

test('every builder of the contract is asked', () => {
  expect(flows.map(({ path }) => path)).toEqual(paths);
});

test.each(flows)('$path: a preview fits the document that is served', slow, async (asked) => {
  const { post, get } = await startFlowApi(asked);
  const document = (await get('/openapi.json')).body as object;
  const served = new Ajv2020({ strict: false, allowUnionTypes: true });
  served.addSchema(document, 'served');
  const isPreview = served.compile({ $ref: 'served#/components/schemas/Preview' });
  const { body } = await post(`${asked.path}?preview=true`, asked.body);
  const { preview } = body as { preview: unknown };
  expect(isPreview(preview), JSON.stringify(isPreview.errors)).toBe(true);
});
