import { Type } from 'typebox';
import { pathOf } from '../../http/openapi-document.ts';
import { defineOperation } from '../../http/operation.ts';
import { publicUrl } from '../../http/public-url.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import { addressedDocsOperation, PLAIN_TEXT } from './docs-operation.ts';
import { groupRoutes } from './document.ts';
import { readGuideGroups } from './guides.ts';

/** An index of all pages for language models, in the form of llmstxt.org. */
export const getLlmsTxt: OperationPlugin = (context) => async (app) => {
  const operation = addressedDocsOperation(
    'getLlmsTxt',
    'Index of the documentation as plain text',
  );
  app.get(
    '/llms.txt',
    defineOperation(operation, { response: Type.Any() }),
    async (request, reply) => {
      reply.type(PLAIN_TEXT);
      return indexOf(context, publicUrl(request.raw, context.trustedProxies));
    },
  );
};

function indexOf(context: OperationContext, url: string): string {
  const guides = readGuideGroups().map(({ title, guides: list }) => [
    `## ${title}`,
    '',
    ...list.map(({ name, title: text, summary }) => {
      return `- [${text}](${url}/docs/guide/${name}.md): ${summary}`;
    }),
  ]);
  const operations = groupRoutes(context.routes).map(({ title, operations: list }) => [
    `## ${title}`,
    '',
    ...list.map((route) => {
      const { operationId, summary } = route.operation;
      const link = `${url}/docs/operations/${operationId}.md`;
      return `- [${operationId}](${link}): \`${route.method} ${pathOf(route)}\`, ${summary}`;
    }),
  ]);
  return [
    ['# Tidegate', '', `> ${SUMMARY}`, '', NOTES],
    ...guides,
    ...operations,
    ['## Optional', '', `- [OpenAPI document](${url}/openapi.json): all operations and schemas`],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n')
    .concat('\n');
}

const SUMMARY =
  "A self-hostable HTTP/JSON API over Solana's lending and earn-vault programs: markets, reserves, loans, vaults, " +
  'rewards, their history, and unsigned transactions.';

const NOTES =
  'Amounts, rates and prices are decimal strings; rates are fractions (0.05 is 5 %). Every answer names the slot that it is ' +
  'true for. The server never holds a key, except those of the embedded cluster: it builds transactions, and a wallet signs them.';
