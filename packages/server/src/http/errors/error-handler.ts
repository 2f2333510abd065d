import { CodedError, type Logger } from '@tidegate/core/base';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorFormat } from '../operation.ts';
import { BODY_LIMIT_BYTES, type RequestHooks } from '../request-hooks.ts';
import { createErrorResponse } from './error-response.ts';
import { httpStatusOf } from './error-status.ts';

type ErrorHandlerOptions = {
  readonly strictStatuses: boolean;
  readonly builderErrorPrefix: string;
  readonly log: Logger;
};

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Routes throw, this answers. What is not a failure we know is logged with its cause and told as an internal error. */
export function createErrorHandler(options: ErrorHandlerOptions): ErrorHandler {
  const { strictStatuses, builderErrorPrefix, log } = options;
  return (thrown, request, reply) => {
    const error = toCodedError(thrown);
    if (httpStatusOf(error) === 500) {
      const { url: route } = request.routeOptions;
      log.error({ id: request.id, route, error: thrown }, 'request failed');
    }
    const answer = createErrorResponse({
      error,
      requestId: request.id,
      format: errorFormatOf(request, builderErrorPrefix),
      operation: request.routeOptions.config.operation,
      accept: request.headers.accept,
      strictStatuses,
    });
    reply
      .code(answer.status)
      .headers(answer.headers)
      .type(answer.contentType)
      .serializer(JSON.stringify)
      .send(answer.body);
  };
}

/** The router's own refusals come without any hook: they are received and finished here. */
export function createFrameworkErrorHandler(
  handle: ErrorHandler,
  { onRequest, onSend, onResponse }: RequestHooks,
): ErrorHandler {
  return (thrown, request, reply) => {
    reply.raw.once('finish', () => onResponse(request, reply));
    const answer = (failure: unknown) => {
      onSend(request, reply);
      handle(failure, request, reply);
    };
    onRequest(request, reply).then(
      () => answer(thrown),
      (refusal: unknown) => answer(refusal),
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
  switch (codeOf(thrown)) {
    case 'FST_ERR_BAD_URL':
      return new CodedError('INVALID_URL', {}, thrown);
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new CodedError('BODY_TOO_LARGE', { limitBytes: BODY_LIMIT_BYTES }, thrown);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new CodedError('UNSUPPORTED_MEDIA_TYPE', {}, thrown);
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new CodedError('INVALID_JSON', { reason: 'it is empty' }, thrown);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new CodedError('INVALID_JSON', { reason: 'content-length is not its length' }, thrown);
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new CodedError('INVALID_JSON', { reason: 'it does not parse' }, thrown);
    case 'FST_ERR_HANDLER_TIMEOUT':
      return new CodedError('TIMED_OUT', {}, thrown);
    default:
      return new CodedError('INTERNAL', {}, thrown);
  }
}

function codeOf(thrown: unknown): FastifyError['code'] | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
