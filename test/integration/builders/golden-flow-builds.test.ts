import { describe, expect, test } from 'vitest';
import { kitWire } from '../../support/builders/kit-compiler.ts';
import {
  expectedInstructions,
  pickExpectedFields,
  readDifferences,
} from '../../support/flows/expected-differences.ts';
import { startFlowApi, staticBlockhash } from '../../support/flows/flow-api.ts';
import { flowRequests } from '../../support/flows/flow-requests.ts';
import { type BundleJson, readBundle } from '../../support/http/instruction-bundle.ts';

const table = readDifferences();
const flows = flowRequests();

/** A server is started in each. */
const slow = { timeout: 30_000 };

describe('over HTTP, on the accounts before each golden flow', () => {
  test('all seven builders are asked for', () => {
    expect([...new Set(flows.map(({ path }) => path))].sort()).toEqual([
      '/ktx/farms/claim',
      '/ktx/klend/borrow',
      '/ktx/klend/deposit',
      '/ktx/klend/repay',
      '/ktx/klend/withdraw',
      '/ktx/kvault/deposit',
      '/ktx/kvault/withdraw',
    ]);
    expect(flows).toHaveLength(27);
  });

  test.each(flows)(
    '$name: the recorded instructions, or as the table says',
    slow,
    async (asked) => {
      const { path, body, number, flow, wallet } = asked;
      const { post } = await startFlowApi(asked);
      const answer = await post(`${path}-instructions`, body);
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([
        200,
        ['instructions', 'lutsByAddress'],
      ]);
      const json = answer.body as BundleJson;
      const { instructions, tables } = readBundle(json);
      const expected = expectedInstructions(number, flow.instructions, table);
      expect(pickExpectedFields(expected, instructions)).toEqual(expected);
      for (const { role, signer } of json.instructions.flatMap(({ accounts }) => accounts)) {
        expect(signer).toEqual(role.endsWith('_SIGNER') ? { address: wallet } : undefined);
      }

      // the transaction is what kit makes of the instructions and their tables
      const compiled = await post(path, body);
      const { blockhash } = await staticBlockhash();
      const wire = kitWire({ wallet, instructions, lookupTables: tables }, blockhash);
      const transaction = Buffer.from(wire).toString('base64');
      expect([compiled.status, compiled.body]).toEqual([200, { transaction }]);
    },
  );
});
