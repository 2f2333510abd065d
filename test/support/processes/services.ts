const { TEST_SERVICES = 'all' } = process.env;

/** Whether tests use PostgreSQL and Redis. `npm test` does not. */
export const usesServices = TEST_SERVICES !== 'none';

/** Whether tests on the embedded database run. A stage of `npm run test:all` runs the others only. */
export const usesEmbedded = TEST_SERVICES !== 'only';
