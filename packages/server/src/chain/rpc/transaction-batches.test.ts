import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty } from '../../../../../test/support/properties/assert-property.ts';
import { CodedError } from '../../errors.ts';
import { TransactionBatches } from './transaction-batches.ts';

const signaturesOf = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`);
const resultsOf = (signatures: readonly string[]) => signatures.map((each) => `result ${each}`);

const tooLarge = () =>
  new CodedError('SOURCE_REFUSES', { source: 'a', reason: 'b', rejection: 'too-large' });
const noBatches = () => new CodedError('SOURCE_REFUSES', { source: 'a', reason: 'no batches' });
const limited = () =>
  new CodedError('SOURCE_UNAVAILABLE', { source: 'a', reason: '429', retryAfterMs: 1_000 });

/** An endpoint that accepts batches of up to `maxSize` calls, and the sizes that it received. */
function startEndpoint(maxSize: number, refuse: () => CodedError = tooLarge) {
  const sizes: number[] = [];
  const singles: string[] = [];
  const readBatch = async (signatures: readonly string[]) => {
    sizes.push(signatures.length);
    if (signatures.length > maxSize) throw refuse();
    return resultsOf(signatures);
  };
  const readOne = async (signature: string) => {
    singles.push(signature);
    return `result ${signature}`;
  };
  return { sizes, singles, readBatch, readOne };
}

test('transactions are read in batches of 20, in the order of the signatures', async () => {
  const endpoint = startEndpoint(100);
  const signatures = signaturesOf(45);
  expect(await new TransactionBatches().read(signatures, endpoint)).toEqual(resultsOf(signatures));
  expect(endpoint.sizes).toEqual([20, 20, 5]);
  expect(endpoint.singles).toEqual([]);
});

test('a batch that is too large is halved, also later', async () => {
  const endpoint = startEndpoint(5);
  const batches = new TransactionBatches();
  const signatures = signaturesOf(20);
  expect(await batches.read(signatures, endpoint)).toEqual(resultsOf(signatures));
  endpoint.sizes.length = 0;
  await batches.read(signatures, endpoint);
  expect(endpoint.sizes).toEqual([5, 5, 5, 5]);
});

test('an endpoint that refuses batches gets single calls from then on', async () => {
  const endpoint = startEndpoint(0, noBatches);
  const batches = new TransactionBatches();
  const signatures = signaturesOf(12);
  expect(await batches.read(signatures, endpoint)).toEqual(resultsOf(signatures));
  expect(endpoint.sizes).toEqual([12]);
  await batches.read(signatures, endpoint);
  expect(endpoint.sizes).toEqual([12]);
  expect(endpoint.singles).toHaveLength(24);
});

test('a batch above the rate limit fails, and the next ones are smaller', async () => {
  const endpoint = startEndpoint(5, limited);
  const batches = new TransactionBatches();
  const signatures = signaturesOf(20);
  await expect(batches.read(signatures, endpoint)).rejects.toThrow('429');
  await expect(batches.read(signatures, endpoint)).rejects.toThrow('429');
  expect(await batches.read(signatures, endpoint)).toEqual(resultsOf(signatures));
});

test('property: whatever size an endpoint accepts, all transactions are returned in order', async () => {
  const sizes = fc.integer({ min: 0, max: 25 });
  await assertAsyncProperty(
    fc.asyncProperty(sizes, fc.integer({ min: 0, max: 130 }), async (maxSize, count) => {
      const endpoint = startEndpoint(maxSize, maxSize === 0 ? noBatches : tooLarge);
      const signatures = signaturesOf(count);
      const found = await new TransactionBatches().read(signatures, endpoint);
      expect(found).toEqual(resultsOf(signatures));
    }),
    100,
  );
});
