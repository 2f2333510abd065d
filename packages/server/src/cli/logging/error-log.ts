import type { Logger } from '@tidegate/core/base';
import { destination, pino } from 'pino';
import type { Config } from '../settings/settings.ts';

const STDERR = 2;

/** A log on standard error, for a command whose standard output is a protocol. */
export const createErrorLog = (level: Config['logLevel']): Logger =>
  pino({ level, base: null }, destination({ fd: STDERR, sync: true }));
