import { describe, expect, test } from 'vitest';
import {
  expectedInstructions,
  pickExpectedFields,
  readDifferences,
} from '../support/flows/expected-differences.ts';
import { buildVaultFlow, countVaultFlowReads, vaultFlows } from '../support/flows/vault-flows.ts';

const table = readDifferences();
const flows = vaultFlows();

describe('vaults and claims as the official client builds them', () => {
  test('12 flows ask for one of the three operations', () => {
    expect(flows.map(({ number }) => number)).toEqual([
      51, 52, 40, 41, 42, 50, 43, 44, 45, 46, 47, 94,
    ]);
  });

  test.each(flows)('$name: the same instructions, or as the table says', (placed) => {
    const { flow, number } = placed;
    const expected = expectedInstructions(number, flow.instructions, table);
    const { instructions } = buildVaultFlow(placed);
    expect(pickExpectedFields(expected, instructions)).toEqual(expected);
  });

  test.each(flows)(
    '$name: the accounts of the wallet are read once, with its table twice',
    (placed) => {
      const isOfLoan = placed.number === 51 || placed.number === 52;
      expect(countVaultFlowReads(placed)).toBe(isOfLoan ? 2 : 1);
    },
  );
});
