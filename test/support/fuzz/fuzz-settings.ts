import { randomInt } from 'node:crypto';

const { FUZZ_SEED = '1', FUZZ_REQUESTS } = process.env;

/** The name of a test has it, so that a failure can be repeated. `FUZZ_SEED=random` selects another one. */
export const FUZZ_SEED_NUMBER = FUZZ_SEED === 'random' ? randomInt(2 ** 31) : Number(FUZZ_SEED);

/** How many requests a fuzz test with this default sends. */
export const fuzzRequests = (standard: number): number => Number(FUZZ_REQUESTS ?? standard);
