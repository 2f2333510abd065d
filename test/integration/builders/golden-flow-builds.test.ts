import { describe, expect, test } from 'vitest';
import { kitWire } from '../../support/builders/kit-compiler.ts';
import {
  expectedInstructions,
  pickExpectedFields,
  readDifferences,
} from '../../support/flows/expected-differences.ts';
import { startFlowApi, staticBlockhash } from '../../support/flows/flow-api.ts';
import { flowRequests } from '../../support/flows/flow-requests.ts';
import { pinned, testPinned } from '../../support/golden/pinned-figures.ts';
import { type BundleJson, readBundle } from '../../support/http/instruction-bundle.ts';

const table = readDifferences();
const flows = flowRequests();

/** Each test starts a server. */

describe('over HTTP, on the accounts before each golden flow', () => {
  test('all seven builders are covered', () => {
    expect([...new Set(flows.map(({ path }) => path))].sort()).toEqual([
      '/ktx/farms/claim',
      '/ktx/klend/borrow',
      '/ktx/klend/deposit',
      '/ktx/klend/repay',
      '/ktx/klend/withdraw',
      '/ktx/kvault/deposit',
      '/ktx/kvault/withdraw',
    ]);
  });

  testPinned('27 golden flows are requests to a builder', () => {
    expect(flows).toHaveLength(pinned.flows.requested);
  });

  test.each(flows)(
    '$name: has the recorded instructions with the expected differences',
    async (request) => {
      const { path, body, number, flow, wallet } = request;
      const { post } = await startFlowApi(request);
      const response = await post(`${path}-instructions`, body);
      expect([response.status, Object.keys(response.body as object)]).toEqual([
        200,
        ['instructions', 'lutsByAddress'],
      ]);
      const json = response.body as BundleJson;
      const { instructions, tables } = readBundle(json);
      const expected = expectedInstructions(number, flow.instructions, table);
      expect(pickExpectedFields(expected, instructions)).toEqual(expected);
      for (const { role, signer } of json.instructions.flatMap(({ accounts }) => accounts)) {
        expect(signer).toEqual(role.endsWith('_SIGNER') ? { address: wallet } : undefined);
      }

      // The transaction is what kit compiles from the instructions and their tables.
      const compiled = await post(path, body);
      const { blockhash } = await staticBlockhash();
      const wire = kitWire({ wallet, instructions, lookupTables: tables }, blockhash);
      const transaction = Buffer.from(wire).toString('base64');
      expect([compiled.status, compiled.body]).toEqual([200, { transaction }]);
    },
  );
});
