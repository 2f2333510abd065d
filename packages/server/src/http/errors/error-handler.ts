import { CodedError, type Logger } from '@tidegate/core/base';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BODY_LIMIT_BYTES, type RequestHooks } from '../request-hooks.ts';
import { createErrorResponse, httpStatusOf } from './error-response.ts';

type ErrorHandlerOptions = {
  readonly strictStatuses: boolean;
  readonly log: Logger;
};

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Routes throw, this answers. What is not a failure we know is logged with its cause and told as an internal error. */
export function createErrorHandler({ strictStatuses, log }: ErrorHandlerOptions): ErrorHandler {
  return (thrown, request, reply) => {
    const error = toCodedError(thrown);
    if (httpStatusOf(error) === 500) {
      const { url: route } = request.routeOptions;
      log.error({ id: request.id, route, error: thrown }, 'request failed');
    }
    const answer = createErrorResponse({
      error,
      requestId: request.id,
      path: request.raw.url ?? '',
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
  { receive, date, finish }: RequestHooks,
): ErrorHandler {
  return (thrown, request, reply) => {
    reply.raw.once('finish', () => finish(request, reply));
    const answer = (failure: unknown) => {
      date(request, reply);
      handle(failure, request, reply);
    };
    receive(request, reply).then(
      () => answer(thrown),
      (refusal: unknown) => answer(refusal),
    );
  };
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
