import { describe, expect, test } from 'vitest';
import {
  expectedInstructions,
  pickExpectedFields,
  readDifferences,
} from '../support/flows/expected-differences.ts';
import { buildVaultFlow, countVaultFlowReads, vaultFlows } from '../support/flows/vault-flows.ts';

const table = readDifferences();
const flows = vaultFlows();

describe('vault and claim builders compared with the official client', () => {
  test('12 flows use one of the three operations', () => {
    expect(flows.map(({ number }) => number)).toEqual([
      51, 52, 40, 41, 42, 50, 43, 44, 45, 46, 47, 94,
    ]);
  });

  test.each(flows)(
    '$name: the same instructions, except for the documented differences',
    (placed) => {
      const { flow, number } = placed;
      const expected = expectedInstructions(number, flow.instructions, table);
      const { instructions } = buildVaultFlow(placed);
      expect(pickExpectedFields(expected, instructions)).toEqual(expected);
    },
  );

  test.each(flows)(
    '$name: reads the accounts of the wallet once, or twice with a lookup table',
    (placed) => {
      const isOfLoan = placed.number === 51 || placed.number === 52;
      expect(countVaultFlowReads(placed)).toBe(isOfLoan ? 2 : 1);
    },
  );
});
