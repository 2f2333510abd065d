import { hasCode } from '../../errors.ts';

/**
 * Why a database does not do what it should:
 * - `unreachable`: no connection, or the server does not respond
 * - `busy`: it has no free connection
 * - `refused`: wrong user or password
 * - `missing`: the server has no database of this name
 * - `stopped`: the embedded engine has failed and is started again
 * - `damaged`: its files are not what the database wrote
 * - `full`, `read-only`: it can be read, but not written
 * - `other-writer`: another server records the history in it
 * - `other-cluster`: it has the history of another cluster
 * - `unusable`: its version or its schema does not fit this release
 */
export type DatabaseProblem =
  | 'unreachable'
  | 'busy'
  | 'refused'
  | 'missing'
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
  '28000': 'refused',
  '28P01': 'refused',
  '3D000': 'missing',
  '53300': 'busy',
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

/** Whether the server does not respond now, so that the same settings can work later. */
export function isServerAway(error: unknown): boolean {
  const problem = databaseProblemOf(error);
  return problem === 'unreachable' || problem === 'busy';
}

/** What to do, as a sentence. Damaged files have advice of their own. */
export const databaseActions: Readonly<Record<Exclude<DatabaseProblem, 'damaged'>, string>> = {
  unreachable: 'Check the PostgreSQL server of DATABASE_URL and the network to it.',
  busy: 'Raise max_connections of the PostgreSQL server, use a pooler, or run fewer processes: each uses up to 10 connections per cluster.',
  refused: 'Correct user and password in DATABASE_URL, or pg_hba.conf of the server.',
  missing: 'Create the database, or correct its name in DATABASE_URL.',
  stopped: 'See the log for the reason.',
  full: 'Free space on the disk of the database.',
  'read-only': 'Connect DATABASE_URL to the primary server, as a role that may write.',
  'other-writer': 'This server only reads it, and records it when the other one ends.',
  'other-cluster': 'Set DATABASE_URL to another database, and restart this server.',
  unusable: 'See the log for the reason.',
};

/** What to do about an error of PostgreSQL, or about the one that caused it; undefined for other errors. */
export function databaseActionOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const problem = databaseProblemOf(cause) ?? databaseProblemOf(error);
  return problem === undefined || problem === 'damaged' ? undefined : databaseActions[problem];
}

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
