import { randomInt } from 'node:crypto';

const { FUZZ_SEED = '1', FUZZ_REQUESTS = '4000' } = process.env;

/** The name of a test has it, so that a failure can be repeated. `FUZZ_SEED=random` selects another one. */
export const FUZZ_SEED_NUMBER = FUZZ_SEED === 'random' ? randomInt(2 ** 31) : Number(FUZZ_SEED);

/** How many requests are generated from the OpenAPI document; more in CI. */
export const FUZZ_REQUEST_COUNT = Number(FUZZ_REQUESTS);
