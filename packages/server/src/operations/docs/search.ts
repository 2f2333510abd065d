import { defineOperation } from '../../http/operation.ts';
import { OpenObject } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { docsOperation } from './docs-operation.ts';
import { createDocument } from './document.ts';
import { readGuideGroups, readGuideSections } from './guides.ts';
import { createSearchIndex } from './search-index.ts';

/** The page searches in it. */
export const getDocsSearch: OperationPlugin = (context) => async (app) => {
  const operation = { ...docsOperation('getDocsSearch', 'Search index'), dependsOn: [] };
  app.get('/docs/search.json', defineOperation(operation, { response: OpenObject }), async () =>
    createSearchIndex({
      document: createDocument(context),
      routes: context.routes,
      guides: readGuideGroups().flatMap(({ guides }) => guides),
      sections: readGuideSections(),
    }),
  );
};
