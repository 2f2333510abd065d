import { hasCode } from '@tidegate/core/base';

/**
 * Why a database does not do what it should:
 * - `unreachable`: no connection, or the server does not respond
 * - `stopped`: the embedded engine has failed and is started again
 * - `damaged`: its files are not what the database wrote
 * - `full`, `read-only`: it can be read, but not written
 * - `other-writer`: another server records the history in it
 * - `other-cluster`: it has the history of another cluster
 * - `unusable`: its version or its schema does not fit this release
 */
export type DatabaseProblem =
  | 'unreachable'
  | 'stopped'
  | 'damaged'
  | 'full'
  | 'read-only'
  | 'other-writer'
  | 'other-cluster'
  | 'unusable';

/** By SQLSTATE or by error code of the system. */
const problems: Readonly<Record<string, DatabaseProblem>> = {
  '53100': 'full',
  ENOSPC: 'full',
  EDQUOT: 'full',
  XX001: 'damaged',
  XX002: 'damaged',
  '58P01': 'damaged',
  '25006': 'read-only',
  '42501': 'read-only',
  '28000': 'unreachable',
  '28P01': 'unreachable',
  '3D000': 'unreachable',
  '53300': 'unreachable',
  '57014': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  '58030': 'unreachable',
  EAI_AGAIN: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOENT: 'unreachable',
  ENOTFOUND: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
};

/** SQLSTATE class of connection errors. */
const CONNECTION_CLASS = '08';

/** Errors of the PostgreSQL client have no code. */
const clientMessages =
  /^Connection terminated|^Query read timeout|^timeout expired|^Client (has encountered a connection error|was closed)|^timeout exceeded when trying to connect/;

/** Longest pause before a writer tries again after an outage. */
export const MAX_OUTAGE_RETRY_MS = 5_000;

/** Whether the same statement can succeed later. The outage itself is logged by `DatabaseHealth`. */
export const isTemporaryOutage = (error: unknown): boolean =>
  hasCode(error, 'HISTORY_UNAVAILABLE') && !error.context.isLasting;

/** Errors of a server that works: the settings are wrong. */
const SETTING_ERRORS: readonly unknown[] = ['28000', '28P01', '3D000'];

/** Whether the server does not respond now, so that the same settings can work later. */
export const isServerAway = (error: unknown): boolean =>
  databaseProblemOf(error) === 'unreachable' &&
  !(error instanceof Error && 'code' in error && SETTING_ERRORS.includes(error.code));

/** Undefined for an error of the statement, such as a violated constraint. */
export function databaseProblemOf(error: unknown): DatabaseProblem | undefined {
  if (hasCode(error, 'DATABASE_STOPPED')) return 'stopped';
  if (hasCode(error, 'DATABASE_DAMAGED')) return 'damaged';
  if (hasCode(error, 'DATABASE_TOO_NEW') || hasCode(error, 'DATABASE_UNUSABLE')) return 'unusable';
  if (hasCode(error, 'HISTORY_OF_ANOTHER')) return 'other-cluster';
  if (hasCode(error, 'NOT_WRITER')) return 'other-writer';
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code?.startsWith(CONNECTION_CLASS)) return 'unreachable';
  if (code !== undefined && Object.hasOwn(problems, code)) return problems[code];
  // the server has ended the session, whatever the statement was
  if ('severity' in error && error.severity === 'FATAL') return 'unreachable';
  return clientMessages.test(error.message) ? 'unreachable' : undefined;
}
