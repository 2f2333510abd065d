import type { Logger } from '@tidegate/core/base';
import { destination, pino } from 'pino';
import type { Config } from '../settings/settings.ts';
import { escapeLines } from '../terminal/escape-controls.ts';

const STDERR = 2;

/** A log on standard error, for a command whose standard output is a protocol. */
export function createErrorLog(level: Config['logLevel']): Logger {
  const output = destination({ fd: STDERR, sync: true });
  return pino({ level, base: null }, { write: (line) => output.write(escapeLines(line)) });
}
