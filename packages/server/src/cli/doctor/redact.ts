import { decodePercentEscapes } from '@tidegate/core/base';
import type { Config } from '../settings/settings.ts';
import type { Finding } from './finding.ts';

const MIN_SECRET_LENGTH = 4;
const MASK = '***';

/** Removes everything from the findings that may be a credential in a setting. */
export function redactFindings(findings: readonly Finding[], config: Config): readonly Finding[] {
  const secrets = secretsOf(config);
  const redact = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  return findings.map(({ name, status, message, change }) => ({
    name: redact(name),
    status,
    message: redact(message.replaceAll(/\s+/g, ' ')),
    ...(change !== undefined && { change: redact(change) }),
  }));
}

/** Longest first, so that replacing one leaves no part of another. */
function secretsOf(config: Config): readonly string[] {
  const { rpcUrl, rpcUrlDevnet, rpcUrlMainnet, wsUrl, geyserUrl, geyserToken } = config;
  const endpoints = [rpcUrl, rpcUrlDevnet, rpcUrlMainnet, geyserUrl, wsUrl === 'none' ? [] : wsUrl];
  const services = [config.databaseUrl, config.readDatabaseUrl, config.redisUrl].flatMap(
    ({ value }) => value ?? [],
  );
  const parts = [
    ...endpoints.flat().flatMap(endpointSecrets),
    ...services.flatMap(serviceSecrets),
    geyserToken,
    config.tidegateApiKey,
    ...endpointSecrets(config.tidegateUrl),
    ...Object.values(config.otlpHeaders),
  ];
  return [...parts, ...parts.map(decodePercentEscapes)]
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
}

/** Providers put keys into every part of a URL but the host. */
const endpointSecrets = ({ pathname, search, searchParams, username, password }: URL): string[] => [
  ...pathname.split('/'),
  ...searchParams.values(),
  search.slice(1),
  username,
  password,
];

/** The password of a URL, also of one that cannot be parsed, and one in its query. */
function serviceSecrets(text: string): string[] {
  const [, password = ''] = /^[a-z]+:\/\/[^:/?#]*:(.*)@/i.exec(text) ?? [];
  const queries = [...text.matchAll(/[?&](?:password|sslpassword|passphrase)=([^&]*)/gi)];
  return [password, ...queries.flatMap(([, value = '']) => value)];
}
