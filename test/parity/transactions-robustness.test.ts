import { expect, test } from 'vitest';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { viewTransaction } from '#core/views/transactions/transaction-view.ts';
import type { ErrorCode } from '#server/errors.ts';
import { catchError } from '../support/errors/catch-error.ts';
import { FUZZ_SEED_NUMBER } from '../support/fuzz/fuzz-settings.ts';
import { goldenFlows } from '../support/golden/golden.ts';
import { mainnetTransaction } from '../support/mainnet/mainnet-fixtures.ts';
import { PROPERTY_FACTOR } from '../support/properties/assert-property.ts';
import { toRpcTransaction } from '../support/protocol/streamed-transaction.ts';
import { mutateJson, type RandomNumbers, seededRandom } from '../support/random/json-mutations.ts';

const SEED = `FUZZ_SEED=${FUZZ_SEED_NUMBER}`;

const transactions = goldenFlows().flatMap((flow) => flow.transactions);
/** Each response in two encodings. */
const golden = transactions.flatMap(({ rpc, wire }) =>
  rpc === null ? [] : [rpc, { ...Object(rpc), transaction: [wire, 'base64'] }],
);

/** Counts of mutated responses by error code, with `undefined` for success. */
function outcomes(responses: readonly unknown[], runs: number): Map<ErrorCode | undefined, number> {
  const random = seededRandom(FUZZ_SEED_NUMBER + runs);
  const counts = new Map<ErrorCode | undefined, number>();
  for (let run = 0; run < runs; run++) {
    const changed = mutatedOften(responses[random(responses.length)], random);
    const code = catchError(() => viewTransaction(changed))?.code;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

function mutatedOften(response: unknown, random: RandomNumbers): unknown {
  let changed = response;
  for (let times = random(3); times >= 0; times--) changed = mutateJson(changed, random);
  return changed;
}

const GOLDEN_RUNS = 2_500 * PROPERTY_FACTOR;
const RECORDED_RUNS = 500 * PROPERTY_FACTOR;

test(`${GOLDEN_RUNS} mutated responses give a value or a coded error, ${SEED}`, () => {
  const counts = outcomes(golden, GOLDEN_RUNS);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(GOLDEN_RUNS);
  expect(counts.get(undefined)).toBeGreaterThan(GOLDEN_RUNS * 0.05);
  expect(counts.get('MALFORMED_DATA')).toBeGreaterThan(GOLDEN_RUNS * 0.3);
  const others = [...counts.keys()].filter((code) => code !== undefined);
  expect(others.filter((code) => code !== 'MALFORMED_DATA' && code !== 'MATH_OVERFLOW')).toEqual(
    [],
  );
});

test(`${RECORDED_RUNS} mutated recorded responses give a value or a coded error, ${SEED}`, () => {
  const responses = [
    mainnetTransaction('repay'),
    toRpcTransaction(mainnetTransaction('flash-loan')),
  ];
  const counts = outcomes(responses, RECORDED_RUNS);
  expect([...counts.keys()].every((code) => code === undefined || code === 'MALFORMED_DATA')).toBe(
    true,
  );
});

test('every truncated transaction throws', () => {
  const random = seededRandom(7);
  for (const { wire } of transactions) {
    const bytes = Uint8Array.from(Buffer.from(wire, 'base64'));
    for (let cut = 0; cut < 40; cut++) {
      const short = bytes.subarray(0, random(bytes.length));
      expect(catchError(() => decodeWireTransaction(short))?.code).toBe('MALFORMED_DATA');
    }
  }
});
