import { isatty } from 'node:tty';
import type { Logger } from '@tidegate/core/base';
import { destination, pino, stdSerializers } from 'pino';
import type { CompletedRequest } from '../../http/request-log.ts';
import type { Config } from '../settings/settings.ts';
import { escapeLines } from '../terminal/escape-controls.ts';
import { createPrettyFormatter } from './pretty-log.ts';

const STDOUT = 1;
const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 250;
const MAX_BUFFERED_REQUESTS = 256;
const DEBUG = 20;
const INFO = 30;

export type ServerLog = {
  readonly log: Logger;
  readonly logRequest: (request: CompletedRequest) => void;
  /** Flushes all buffered lines synchronously. */
  readonly close: () => void;
};

/**
 * A log on standard output, written in batches. Request lines bypass pino, because pino took a
 * sixth of the time of a cached response; they have the same format. Their values need no
 * escaping: ids are plain tokens, those of keys too, methods come from HTTP and routes are patterns of our own.
 */
export function createServerLog({
  logLevel,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): ServerLog {
  const output = destination({ fd: STDOUT, sync: false, minLength: BUFFER_BYTES });
  const options = { level: logLevel, base: null, serializers: { error: serializeError } };
  const format = createFormatter(logFormat, standardOutput);
  // names in JSON could still reorder or hide what a terminal shows
  const formatLog = isPretty(logFormat, standardOutput.isTTY) ? format : escapeLines;
  const requestLevel = requestLevelOf(logFormat, standardOutput);
  const formatRequest = createRequestFormatter();
  let requestLines = '';
  let requestCount = 0;
  const writeRequests = () => {
    if (requestCount === 0) return;
    output.write(requestLines);
    requestLines = '';
    requestCount = 0;
  };
  const writeInOrder = (line: string) => {
    writeRequests();
    output.write(formatLog(line));
  };
  const log = pino(options, { write: writeInOrder });
  const logsRequests = log.isLevelEnabled(requestLevel);
  const logsProbes = log.isLevelEnabled('debug');
  const flushTimer = setInterval(() => {
    writeRequests();
    output.flush();
  }, FLUSH_MS).unref();

  return {
    log,
    logRequest: (request) => {
      const isProbe = isAnsweredProbe(request);
      if (!(isProbe ? logsProbes : logsRequests)) return;
      const level = isProbe || requestLevel === 'debug' ? DEBUG : INFO;
      requestLines += format(formatRequest(request, level));
      requestCount += 1;
      if (requestCount === MAX_BUFFERED_REQUESTS) writeRequests();
    },
    close: () => {
      clearInterval(flushTimer);
      writeRequests();
      output.flushSync();
    },
  };
}

/** Supervisors, balancers and Prometheus ask for them every few seconds. */
const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
const FIRST_ERROR_STATUS = 400;

/** One that fails is logged as any other request. */
export const isAnsweredProbe = ({
  route,
  status,
}: Pick<CompletedRequest, 'route' | 'status'>): boolean =>
  probes.has(route) && status < FIRST_ERROR_STATUS;

type OutputStream = { readonly isTTY: boolean; readonly hasColors: () => boolean };

/** Opens `process.stdout` only on a terminal: on a pipe it would make the file descriptor non-blocking. */
const standardOutput: OutputStream = {
  isTTY: isatty(STDOUT),
  hasColors: () => process.stdout.hasColors(),
};

/** On a terminal, requests of a page that is open would hide the messages of the start. */
export const requestLevelOf = (
  format: Config['logFormat'],
  { isTTY }: Pick<OutputStream, 'isTTY'>,
): 'debug' | 'info' => (isTTY && isPretty(format, isTTY) ? 'debug' : 'info');

const isPretty = (format: Config['logFormat'], isTTY: boolean): boolean =>
  format === 'pretty' || (format === 'auto' && isTTY);

/** `auto` is `pretty` on a terminal and `json` elsewhere. */
export function createFormatter(
  format: Config['logFormat'],
  { isTTY, hasColors }: OutputStream,
): (line: string) => string {
  if (!isPretty(format, isTTY)) return (line) => line;
  return createPrettyFormatter({ hasColors: isTTY && hasColors() });
}

/** Formats the time once for all requests of a millisecond. */
function createRequestFormatter(): (request: CompletedRequest, level: number) => string {
  let formattedMs = 0;
  let time = '';
  return ({ id, method, route, status, ms, keyId }, level) => {
    const now = Date.now();
    if (now !== formattedMs) {
      formattedMs = now;
      time = `,"time":${now},"id":"`;
    }
    const micros = Math.round(ms * 1000);
    const key = keyId === undefined ? '' : `,"key":"${keyId}"`;
    return `{"level":${level}${time}${id}","method":"${method}","route":"${route}","status":${status},"micros":${micros}${key},"msg":"request"}\n`;
  };
}

/** Includes the stack, which responses never contain. */
function serializeError(error: unknown): unknown {
  return error instanceof Error ? stdSerializers.errWithCause(error) : error;
}
