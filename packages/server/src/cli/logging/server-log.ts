import type { Logger } from '@tidegate/core/base';
import { destination, pino, stdSerializers } from 'pino';
import type { CompletedRequest } from '../../http/request-log.ts';
import type { Config } from '../settings/settings.ts';

const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 250;
const MAX_HELD = 256;
const INFO = 30;

export type ServerLog = {
  readonly log: Logger;
  readonly logRequest: (request: CompletedRequest) => void;
  /** Writes what is held back; nothing is lost after it. */
  readonly close: () => void;
};

/**
 * JSON lines on standard output, written in batches. Lines about requests are put together here, many at
 * a time, in the form that pino gives them: one by one through pino they were a sixth of the time of a
 * kept answer. Their values need no escaping, as ids are plain tokens, methods are HTTP's and routes are
 * our own patterns.
 */
export function createServerLog({ logLevel }: Pick<Config, 'logLevel'>): ServerLog {
  const output = destination({ fd: 1, sync: false, minLength: BUFFER_BYTES });
  const options = { level: logLevel, base: null, serializers: { error: describeError } };
  const toLine = createLines();
  let held = '';
  let count = 0;
  const release = () => {
    if (count === 0) return;
    output.write(held);
    held = '';
    count = 0;
  };
  const inOrder = (line: string) => {
    release();
    output.write(line);
  };
  const log = pino(options, { write: inOrder });
  const wanted = log.isLevelEnabled('info');
  const flushing = setInterval(() => {
    release();
    output.flush();
  }, FLUSH_MS).unref();

  return {
    log,
    logRequest: (request) => {
      if (!wanted) return;
      held += toLine(request);
      count += 1;
      if (count === MAX_HELD) release();
    },
    close: () => {
      clearInterval(flushing);
      release();
      output.flushSync();
    },
  };
}

/** Many requests are finished in one millisecond: its text is made once. */
function createLines(): (request: CompletedRequest) => string {
  let now = 0;
  let start = '';
  return ({ id, method, route, status, ms }) => {
    const time = Date.now();
    if (time !== now) {
      now = time;
      start = `{"level":${INFO},"time":${time},"id":"`;
    }
    const micros = Math.round(ms * 1000);
    return `${start}${id}","method":"${method}","route":"${route}","status":${status},"micros":${micros},"msg":"request"}\n`;
  };
}

/** The stack is for the log alone; callers never see it. */
function describeError(error: unknown): unknown {
  return error instanceof Error ? stdSerializers.errWithCause(error) : error;
}
