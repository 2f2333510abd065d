import { checkOpenApi } from './openapi/openapi-rules.ts';
import { readServedDocument } from './openapi/served-document.ts';

/** Checks the OpenAPI document as served by default, and with strict statuses. */
const problems = [false, true].map(async (strictStatuses) =>
  checkOpenApi(await readServedDocument({ strictStatuses })),
);
for (const problem of new Set((await Promise.all(problems)).flat())) {
  console.error(problem);
  process.exitCode = 1;
}
