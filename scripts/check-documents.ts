/* What derives from the OpenAPI document, in one process, which takes half of the time: its rules, the pages of docs, the types of the API. */
await import('./check-openapi.ts');
await import('./generate-docs.ts');
await import('./generate-api-types.ts');
