import { accessSync, constants } from 'node:fs';
import { formatError, type Logger } from '@tidegate/core/base';
import { loadConfiguredRegistry } from '../../composition/clusters/cluster-registry.ts';
import type { Config, InvalidSetting } from '../settings/settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Values that the server rejects at its start. They are not shown: they may be credentials. */
export function checkSettings(invalid: readonly InvalidSetting[]): readonly Finding[] {
  if (invalid.length === 0) return [ok('settings', 'Every setting has a valid value.')];
  return invalid.map(({ name, accepts }) =>
    problem('settings', `${name} has an invalid value`, `Set it to ${accepts}.`),
  );
}

/** Values that are valid and probably not intended. */
export function checkExposure(config: Config): readonly Finding[] {
  const { host, rateLimit, trustedProxies } = config;
  const isPublic = !['127.0.0.1', '::1', 'localhost'].includes(host);
  if (!isPublic) return [ok('exposure', `The server listens on ${host} only.`)];
  const findings: Finding[] = [];
  if (rateLimit === 'off') {
    findings.push(
      warning('exposure', `RATE_LIMIT is off and HOST is ${host}`, 'Set RATE_LIMIT to auto.'),
    );
  }
  if (trustedProxies.isEmpty) {
    const change = 'Behind a proxy, set TRUSTED_PROXIES to its address.';
    findings.push(
      warning(
        'exposure',
        'All callers of a proxy would share the rate limit of its address',
        change,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('exposure', `The server listens on ${host}.`)];
}

/** The endpoints as they are written, without a request. */
export function checkEndpointSettings(config: Config): readonly Finding[] {
  const { rpcUrl, wsUrl } = config;
  const findings: Finding[] = [];
  if (wsUrl !== 'none' && wsUrl.length > 0 && wsUrl.length !== rpcUrl.length) {
    const message = `WS_URL has ${wsUrl.length} addresses and RPC_URL has ${rpcUrl.length}`;
    findings.push(warning('settings', message, 'List them in the same order.'));
  }
  for (const { protocol, host, hostname } of rpcUrl) {
    const isLocal = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(
      hostname,
    );
    if (protocol === 'http:' && !isLocal && hostname.includes('.')) {
      findings.push(warning('settings', `RPC_URL has ${host} without TLS`, 'Use https.'));
    }
  }
  return findings;
}

export async function checkDocuments(config: Config, log: Logger): Promise<readonly Finding[]> {
  return [await checkRegistry(config, log), ...checkTokenFile(config)];
}

async function checkRegistry(config: Config, log: Logger): Promise<Finding> {
  if (config.registry.location === undefined) return ok('registry', 'REGISTRY is not set.');
  try {
    await loadConfiguredRegistry(config, log);
    return ok('registry', 'REGISTRY can be read.');
  } catch (error) {
    const change = 'Run "tidegate registry check FILE" and fix the file.';
    return problem('registry', formatError(error), change);
  }
}

function checkTokenFile({ tokens }: Config): readonly Finding[] {
  if (tokens.kind !== 'file') return [];
  try {
    accessSync(tokens.path, constants.R_OK);
    return [ok('tokens', 'TOKENS can be read.')];
  } catch (error) {
    return [problem('tokens', formatError(error), 'Set TOKENS to a file that can be read.')];
  }
}
