import { formatError, type Logger } from '@tidegate/core/base';
import type { Config, InvalidSetting } from '../settings/settings.ts';
import { checkAccounts } from './account-checks.ts';
import { checkDatabase, type DatabaseTarget } from './database-checks.ts';
import { checkDataFolder } from './disk-checks.ts';
import { checkEndpoints, endpointGroups } from './endpoint-checks.ts';
import { type Finding, ok, problem } from './finding.ts';
import { checkPorts } from './port-checks.ts';
import {
  checkMemory,
  checkNode,
  checkOpenFiles,
  readMemory,
  readOpenFilesLimit,
} from './process-checks.ts';
import { checkPrograms } from './program-checks.ts';
import { redactFindings } from './redact.ts';
import { checkRedis } from './redis-checks.ts';
import {
  checkDocuments,
  checkEndpointSettings,
  checkExposure,
  checkSettings,
} from './setting-checks.ts';
import { checkSocket } from './socket-checks.ts';

export type DoctorOptions = {
  readonly invalid: readonly InvalidSetting[];
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Of each request. */
  readonly timeoutMs: number;
};

type Check = {
  readonly name: string;
  readonly run: () => readonly Finding[] | Promise<readonly Finding[]>;
};

/** Checks everything that a server with these settings needs. Changes nothing. */
export async function runDoctor(
  config: Config,
  options: DoctorOptions,
): Promise<readonly Finding[]> {
  const checks = [...localChecks(config, options), ...remoteChecks(config, options)];
  const findings = await Promise.all(checks.map(runCheck));
  return redactFindings(findings.flat(), config);
}

/** A check that fails itself is a problem, and the others go on. */
async function runCheck({ name, run }: Check): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (error) {
    const change = 'Run the command again; report it if it stays.';
    return [problem(name, `The check failed: ${formatError(error)}`, change)];
  }
}

const localChecks = (config: Config, { invalid, log }: DoctorOptions): readonly Check[] => [
  { name: 'settings', run: () => checkSettings(invalid) },
  { name: 'settings', run: () => checkEndpointSettings(config) },
  { name: 'exposure', run: () => checkExposure(config) },
  { name: 'documents', run: () => checkDocuments(config, log) },
  { name: 'node', run: () => [checkNode()] },
  { name: 'memory', run: () => [checkMemory(readMemory())] },
  { name: 'open files', run: () => checkOpenFiles(readOpenFilesLimit()) },
  { name: 'disk', run: () => checkDataFolder(config) },
  { name: 'ports', run: () => checkPorts(config) },
];

function remoteChecks(config: Config, options: DoctorOptions): readonly Check[] {
  const { timeoutMs } = options;
  const limits = { ...config, ...options };
  const { redisUrl } = config;
  const groups = endpointGroups(config);
  return [
    ...(groups.length > 0 ? [] : [{ name: 'endpoints', run: () => [embedded] }]),
    ...groups.map((group) => ({
      name: group.setting,
      run: () => checkEndpoints(group, limits),
    })),
    ...groups.map((group) => ({
      name: 'program data',
      run: () => checkAccounts(group, limits),
    })),
    ...groups.map((group) => ({ name: 'programs', run: () => checkPrograms(group, limits) })),
    ...socketUrls(config).map((url) => ({
      name: 'websocket',
      run: async () => [await checkSocket(url, limits)],
    })),
    ...databaseTargets(config, timeoutMs).map((target) => ({
      name: 'database',
      run: () => checkDatabase(target),
    })),
    ...(redisUrl.value === undefined ? [] : [redisCheck(redisUrl.value, timeoutMs)]),
  ];
}

const embedded = ok('endpoints', 'RPC_URL is not set: the server starts its embedded cluster.');

const redisCheck = (url: string, timeoutMs: number): Check => ({
  name: 'redis',
  run: () => checkRedis(url, timeoutMs),
});

/** Most providers serve JSON-RPC and WebSocket under one address. */
function socketUrls({ rpcUrl, wsUrl }: Config): readonly URL[] {
  if (wsUrl === 'none') return [];
  if (wsUrl.length > 0) return wsUrl;
  return rpcUrl.map((url) => new URL(url.href.replace(/^http/, 'ws')));
}

function databaseTargets(config: Config, timeoutMs: number): readonly DatabaseTarget[] {
  const { databaseUrl, readDatabaseUrl } = config;
  const groups = endpointGroups(config);
  const clusters = groups.length === 0 ? (['localnet'] as const) : groups.map(({ env }) => env);
  return (
    [
      { setting: 'DATABASE_URL', url: databaseUrl.value },
      { setting: 'READ_DATABASE_URL', url: readDatabaseUrl.value },
    ] as const
  ).flatMap(({ setting, url }) =>
    url === undefined ? [] : [{ setting, url, clusters, timeoutMs }],
  );
}
