import { defineOperation } from '../../http/operation.ts';
import { OpenObject } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { docsOperation } from './docs-operation.ts';
import { mapExampleAddresses } from './example-addresses.ts';

/** The reference fills its forms with addresses that exist on this cluster. */
export const getDocsAddresses: OperationPlugin = (context) => async (app) => {
  const operation = docsOperation('getDocsAddresses', 'Addresses for the examples');
  app.get('/docs/addresses.json', defineOperation(operation, { response: OpenObject }), async () =>
    mapExampleAddresses(context),
  );
};
