import type { Logger } from '@tidegate/core/base';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../errors.ts';
import { clearDataHeaders } from '../data-headers.ts';
import type { ErrorFormat } from '../operation.ts';
import { BODY_LIMIT_BYTES, MAX_PATH_LENGTH, type RequestHooks } from '../request-hooks.ts';
import { createErrorResponse } from './error-response.ts';
import { httpStatusOf } from './error-status.ts';

/** A response to navigation in a browser. */
export type HtmlResponse = {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

type ErrorHandlerOptions = {
  readonly strictStatuses: boolean;
  readonly builderErrorPrefix: string;
  /** The page for navigation to a path that does not exist; undefined for other requests. */
  readonly missingPage: (request: FastifyRequest, error: CodedError) => HtmlResponse | undefined;
  readonly log: Logger;
};

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Converts thrown errors to responses. Logs internal errors with their cause and hides it from the client. */
export function createErrorHandler(options: ErrorHandlerOptions): ErrorHandler {
  const { strictStatuses, builderErrorPrefix, missingPage, log } = options;
  return (thrown, request, reply) => {
    const error = toCodedError(thrown);
    if (httpStatusOf(error) === 500) {
      const { url: route } = request.routeOptions;
      log.error({ id: request.id, route, error: thrown }, 'request failed');
    }
    const response = createErrorResponse({
      error,
      requestId: request.id,
      format: errorFormatOf(request, builderErrorPrefix),
      operation: request.routeOptions.config.operation,
      accept: request.headers.accept,
      strictStatuses,
    });
    clearBodyHeaders(reply);
    const page = response.status === 404 ? missingPage(request, error) : undefined;
    if (page !== undefined) {
      const type = 'text/html; charset=utf-8';
      reply.code(404).headers({ ...response.headers, ...page.headers, vary: 'accept' });
      return void reply.type(type).serializer(String).send(page.html);
    }
    reply
      .code(response.status)
      .headers(response.headers)
      .type(response.contentType)
      .serializer(JSON.stringify)
      .send(response.body);
  };
}

/** Of a body that was prepared and is not sent. A stream that fails has set them on the response already. */
const BODY_HEADERS = ['content-encoding', 'content-disposition', 'etag', 'last-modified'];

function clearBodyHeaders(reply: FastifyReply): void {
  clearDataHeaders(reply);
  for (const name of BODY_HEADERS) reply.removeHeader(name);
}

/** Fastify runs no hooks for errors of the router, so this handler calls them. */
export function createFrameworkErrorHandler(
  handle: ErrorHandler,
  { onRequest, onSend, onResponse }: RequestHooks,
): ErrorHandler {
  return (thrown, request, reply) => {
    reply.raw.once('finish', () => onResponse(request, reply));
    const respond = (failure: unknown) => {
      onSend(request, reply);
      handle(failure, request, reply);
    };
    onRequest(request, reply).then(
      () => respond(thrown),
      (rejection: unknown) => respond(rejection),
    );
  };
}

function errorFormatOf(request: FastifyRequest, builderPrefix: string): ErrorFormat | undefined {
  const { operation } = request.routeOptions.config;
  if (operation !== undefined) return operation.errorFormat;
  const [path = ''] = (request.raw.url ?? '').split('?');
  return `${path}/`.startsWith(`${builderPrefix}/`) ? 'builder' : undefined;
}

function toCodedError(thrown: unknown): CodedError {
  if (thrown instanceof CodedError) return thrown;
  if (isAbortedUpload(thrown)) {
    return new CodedError('INVALID_JSON', { reason: 'the connection was closed' }, thrown);
  }
  switch (codeOf(thrown)) {
    case 'FST_ERR_BAD_URL':
      return new CodedError('INVALID_URL', {}, thrown);
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new CodedError('URL_TOO_LONG', { part: 'path', limit: MAX_PATH_LENGTH }, thrown);
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new CodedError('BODY_TOO_LARGE', { limitBytes: BODY_LIMIT_BYTES }, thrown);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new CodedError('UNSUPPORTED_MEDIA_TYPE', {}, thrown);
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new CodedError('INVALID_JSON', { reason: 'it is empty' }, thrown);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new CodedError(
        'INVALID_JSON',
        { reason: 'content-length does not match its size' },
        thrown,
      );
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new CodedError('INVALID_JSON', { reason: 'it cannot be parsed' }, thrown);
    case 'FST_ERR_HANDLER_TIMEOUT':
      return new CodedError('TIMED_OUT', {}, thrown);
    default:
      return new CodedError('INTERNAL', {}, thrown);
  }
}

/** Fastify sets the status of an error while it reads the body; an upstream connection has none. */
const isAbortedUpload = (thrown: unknown): boolean =>
  codeOf(thrown) === 'ECONNRESET' && Object(thrown).statusCode === 400;

function codeOf(thrown: unknown): FastifyError['code'] | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
