import { readFileSync, writeFileSync } from 'node:fs';
import { createApp } from '#server/app.ts';
import { flagName, settings } from '#server/cli/settings/settings.ts';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import { parseTrustedProxies } from '#server/http/limits/client-address.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';

/** Writes the README's tables from the schemas they describe; with --check, only says whether they are true. */
const readme = new URL('../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const tables = { settings: settingsTable(), endpoints: await endpointsTable() };
const renewed = Object.entries(tables).reduce(
  (old, [name, table]) => renew(old, name, table),
  text,
);
if (process.argv.includes('--check')) {
  if (renewed !== text) {
    console.error('README.md is out of date. Run npm run docs.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(readme, renewed);
}

function renew(document: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`README.md has no place for ${name}`);
  return `${document.slice(0, from + start.length)}\n\n${table}\n\n${document.slice(to)}`;
}

function settingsTable(): string {
  const rows = Object.values(settings).map((setting) => {
    const fallback = setting.default === '' ? 'none' : `\`${setting.default}\``;
    return [
      `\`${setting.env}\``,
      `\`--${flagName(setting.env)}\``,
      fallback,
      `${setting.sentence} Accepts ${setting.accepts}.`,
    ];
  });
  return markdownTable(['Variable', 'Flag', 'Default', 'What it does'], rows);
}

type Documented = {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
};

/** Only the document is asked for here. */
function noCluster(): never {
  throw new Error('there is no cluster');
}

async function endpointsTable(): Promise<string> {
  const silent = () => undefined;
  const app = createApp({
    version: '0',
    tokens: createStaticTokens([]),
    keys: createApiKeys([]),
    limits: undefined,
    trustedProxies: parseTrustedProxies([]) ?? { has: () => false },
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters: { all: [], named: noCluster, select: noCluster, version: () => 0 },
    demo: undefined,
    clock: () => 0,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    logRequest: silent,
  });
  const { paths } = (await app.inject('/openapi.json')).json<Documented>();
  await app.close();
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      `\`${operationId}\``,
      summary,
    ]),
  );
  return markdownTable(['Endpoint', 'Operation', 'What it answers'], rows);
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
