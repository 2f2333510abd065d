import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { buildFromInputs, loadExampleContext } from '../support/builders/load-build-context.ts';
import {
  expectedInstructions,
  pickExpectedFields,
  readDifferences,
} from '../support/flows/expected-differences.ts';
import { lendingBuilders, lendingFlows } from '../support/flows/lending-flows.ts';
import { LendingReplay } from '../support/flows/lending-replay.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';

const table = readDifferences();
const flows = lendingFlows();

describe('lending builders compared with the official client', () => {
  test('25 flows use one of the four operations', () => {
    expect(flows.map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 90, 91, 92, 93,
    ]);
  });

  test.each(flows)(
    '$name: the same instructions, except for the documented differences',
    (placed) => {
      const { flow, number, intent, request } = placed;
      const expected = expectedInstructions(number, flow.instructions, table);
      const { instructions } = buildFromInputs(lendingBuilders[intent], request, placed);
      expect(pickExpectedFields(expected, instructions)).toEqual(expected);
    },
  );

  test.each(flows)(
    '$name: reads the accounts of the wallet once, or twice with a lookup table',
    (placed) => {
      const { intent, request } = placed;
      const { reads, context } = loadExampleContext(lendingBuilders[intent], request, placed);
      expect(reads).toBeLessThanOrEqual(2);
      expect(context.accounts.size).toBeLessThanOrEqual(8);
    },
  );
});

describe('lending builders replayed on the program model', () => {
  const accepted = flows.filter(({ flow }) => flow.err === null);

  test.each(accepted)(
    '$name: the plan has the created accounts, their rent and the closed accounts',
    (placed) => {
      const { flow, intent, request } = placed;
      const { creates, closes } = buildFromInputs(lendingBuilders[intent], request, placed).plan;
      const closed = new Set(closes.map(({ address }) => address));
      const left = creates.filter(({ address }) => !closed.has(address));
      const rents = left.map(({ address }) => flow.after.get(address)?.lamports);
      expect(left.map(({ rentLamports }) => rentLamports)).toEqual(rents);
      const isGone = (address: Address) => flow.after.get(address) === undefined;
      const existed = [...flow.before.keys()].filter((address) => flow.before.get(address));
      expect(existed.filter((address) => closed.has(address))).toEqual(existed.filter(isGone));
    },
  );

  test.each(accepted)('$name: the built instructions leave the recorded accounts', (placed) => {
    const { flow, accounts, at, intent, request } = placed;
    const replay = new LendingReplay(accounts, at, RECORDED_BUILD_RULES.lending);
    const { instructions } = buildFromInputs(lendingBuilders[intent], request, placed);
    for (const instruction of instructions) replay.run(instruction);
    for (const [address, after] of flow.after) {
      if (after === undefined) expect(replay.obligations.has(address)).toBe(false);
      else if (reserve.matches(after)) {
        expect(replay.reserves.get(address)).toEqual(reserve.decode(after));
      } else if (obligation.matches(after)) {
        expect(replay.obligations.get(address)).toEqual(obligation.decode(after));
      }
    }
  });
});
