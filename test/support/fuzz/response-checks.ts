import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FuzzResponse } from './keep-alive-client.ts';
import type { OpenApiDocument, Operation } from './openapi-operations.ts';
import type { FuzzRequest } from './openapi-requests.ts';

/** Describes what is wrong with the response of a request; undefined if nothing is. */
export type ResponseCheck = (request: FuzzRequest, response: FuzzResponse) => string | undefined;

/** Compares each response with the document: status, media type, and the schema of its body. */
export function createResponseCheck(document: OpenApiDocument): ResponseCheck {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (operation: Operation, status: number, type: string): ValidateFunction => {
    const key = `${operation.id} ${status}`;
    const pointer = ['paths', operation.template, operation.method.toLowerCase(), 'responses'];
    const $ref = `openapi#/${[...pointer, status, 'content', type, 'schema'].map(escapePart).join('/')}`;
    const validator = validators.get(key) ?? ajv.compile({ $ref });
    validators.set(key, validator);
    return validator;
  };
  return ({ operation, method }, { status, contentType, text }) => {
    if (status === 500 || !operation.statuses.has(status)) return `status ${status}: ${text}`;
    const type = operation.statuses.get(status);
    if (method === 'HEAD' || type === undefined) return text === '' ? undefined : 'has a body';
    const [mediaType = ''] = contentType.split(';', 1);
    if (mediaType === 'application/problem+json' && status !== 200) return undefined;
    if (mediaType !== type.split(';', 1)[0]) return `type ${contentType} instead of ${type}`;
    if (mediaType !== 'application/json') return undefined;
    const validate = validatorOf(operation, status, type);
    if (validate(JSON.parse(text))) return undefined;
    const [error] = validate.errors ?? [];
    return `status ${status}: ${error?.instancePath} ${error?.message} in ${text.slice(0, 500)}`;
  };
}

const escapePart = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
