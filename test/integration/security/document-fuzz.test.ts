import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { readApiKeys } from '#server/cli/files/api-key-file.ts';
import { readSeasons } from '#server/cli/files/season-file.ts';
import { generateApiKey } from '#server/http/auth/api-keys.ts';
import { createFileSource } from '#server/registry/document-source.ts';
import { mainnetRegistry } from '#server/registry/mainnet/mainnet-registry.ts';
import { parseSeasons } from '#server/registry/parse-seasons.ts';
import { parseRegistryDocument } from '#server/registry/registry.ts';
import { registryJson } from '#server/registry/registry-json.ts';
import { parseTokenFormat, parseTokenList, tokenFormats } from '#server/registry/token-format.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FUZZ_SEED_NUMBER } from '../../support/fuzz/fuzz-settings.ts';
import { hostileJson } from '../../support/fuzz/hostile-values.ts';
import { temporaryFolderPath } from '../../support/processes/run-folder.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';
import { mutateJson, seededRandom } from '../../support/random/json-mutations.ts';

const SEED = `FUZZ_SEED=${FUZZ_SEED_NUMBER}`;
const MINT = 'So11111111111111111111111111111111111111112';
const CASES = 1_000;

const season = {
  source: 'Season1',
  start: '2026-01-01',
  end: '2026-02-01',
  maxBoost: '1',
  rewards: [{ vault: MINT, rewardToken: MINT, tokensPerSecond: '0.25' }],
  boosts: [{ wallet: MINT, stakingBoost: '0.3', from: '2026-01-05' }],
};
const builtIn = JSON.parse(JSON.stringify(registryJson(mainnetRegistry))) as Record<
  string,
  unknown[]
>;
const registry = {
  ...builtIn,
  markets: builtIn['markets']?.slice(0, 2),
  tokens: builtIn['tokens']?.slice(0, 2),
  vaults: builtIn['vaults']?.slice(0, 2),
  seasons: [season],
};
const token = { mint: MINT, symbol: 'SOL', name: 'Solana', decimals: 9, verified: true };

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

/** Copies of a document with a few mutations, and with a hostile value, or a hostile key, somewhere. */
function mutationsOf(document: unknown): fc.Arbitrary<unknown> {
  const mutated = fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((seed) => {
    const random = seededRandom(seed);
    let copy = document;
    for (let times = random(3); times >= 0; times--) copy = mutateJson(copy, random);
    return copy;
  });
  const key = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '', 'length');
  const placed = fc
    .tuple(fc.nat(), hostileJson, fc.option(key, { nil: undefined, freq: 3 }))
    .map(([at, value, name]) => placeAt(document, { at, value, name }));
  return fc.oneof(mutated, placed);
}

type Placed = { readonly at: number; readonly value: unknown; readonly name: string | undefined };

/** Replaces one field somewhere, or adds one with the given name. */
function placeAt(document: unknown, { at, value, name }: Placed): unknown {
  if (typeof document !== 'object' || document === null) return value;
  const entries = Object.entries(document);
  const index = at % (entries.length + 1);
  const [key, inner] = entries[index] ?? [name ?? 'extra', value];
  const isHere = index === entries.length || at % 3 === 0;
  const changed = isHere ? value : placeAt(inner, { at: Math.floor(at / 3), value, name });
  if (Array.isArray(document)) return document.with(Math.min(index, document.length - 1), changed);
  const copy = Object.fromEntries(entries);
  Object.defineProperty(copy, isHere ? (name ?? key) : key, {
    value: changed,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

test(`property: mutated registries are accepted or rejected with a reason, ${SEED}`, () => {
  const parse = (json: unknown) => parseRegistryDocument(json, 'x', { known: mainnetRegistry });
  expect(catchError(() => parse(registry))).toBeUndefined();
  assertProperty(
    fc.property(mutationsOf(registry), (json) => {
      expect([undefined, 'INVALID_REGISTRY']).toContain(catchError(() => parse(json))?.code);
      const problems: unknown[] = [];
      parseRegistryDocument(json, 'x', { onProblem: (problem) => problems.push(problem) });
    }),
    CASES,
    { seed: FUZZ_SEED_NUMBER },
  );
});

test(`property: mutated seasons are accepted or rejected with a reason, ${SEED}`, () => {
  const parse = (json: unknown) => parseSeasons(json, { source: 'x', at: '' });
  expect(catchError(() => parse([season]))).toBeUndefined();
  assertProperty(
    fc.property(mutationsOf([season]), (json) => {
      expect([undefined, 'INVALID_REGISTRY']).toContain(catchError(() => parse(json))?.code);
    }),
    CASES,
    { seed: FUZZ_SEED_NUMBER },
  );
});

test(`property: an entry of a token list never fails the others, in any format, ${SEED}`, () => {
  const formats = Object.keys(tokenFormats).map((name) => parseTokenFormat(name));
  const aliases = { address: MINT, id: MINT, chainId: 101, tags: ['verified'], stats24h: {} };
  const entry = { ...token, ...aliases, daily_volume: 1, stats: { buyVolume: 1 } };
  const mints = [...mainnetRegistry.tokens.keys()].filter((mint) => mint !== MINT).slice(0, 20);
  const others = mints.map((mint) => ({ ...entry, mint, address: mint, id: mint }));
  assertProperty(
    fc.property(mutationsOf(entry), fc.constantFrom(...formats), (changed, format) => {
      if (format === undefined) throw new Error('no format');
      const list = [...others, changed];
      const document = { tokens: list, data: { tokens: list } };
      const results = [list, document, changed].map((each) => parseTokenList(each, format));
      const counts = results.map((result) =>
        typeof result === 'string' ? 0 : result.tokens.length,
      );
      expect(Math.max(...counts)).toBeGreaterThanOrEqual(mints.length);
    }),
    CASES,
    { seed: FUZZ_SEED_NUMBER },
  );
});

test('a token format that is the name of something else is not a format', () => {
  for (const text of [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'list',
    '=',
    'a=b',
  ]) {
    expect(parseTokenFormat(text), text).toBeUndefined();
  }
});

test(`mutated files are read or rejected with a coded error, ${SEED}`, async () => {
  const folder = temporaryFolderPath('documents-');
  mkdirSync(folder, { recursive: true });
  const path = `${folder}/file.json`;
  const keys = { keys: [generateApiKey('app', '5/1m', 0).record] };
  const codeOf = (reading: Promise<unknown>) =>
    reading.then(
      () => undefined,
      (error: unknown) => (error as { code?: unknown }).code ?? String(error),
    );
  const random = seededRandom(FUZZ_SEED_NUMBER);
  const format = parseTokenFormat('tidegate');
  if (format === undefined) throw new Error('no format');
  const documents = [keys, [season], registry, [token]].map((each) => JSON.stringify(each));
  let parsed = 0;
  for (let run = 0; run < 500; run++) {
    const bytes = Buffer.from(documents[random(documents.length)] ?? '');
    for (let flips = random(4); flips >= 0; flips--) bytes[random(bytes.length)] = random(256);
    writeFileSync(path, bytes.subarray(0, random(3) === 0 ? random(bytes.length) : undefined));
    expect([undefined, 'INVALID_KEY_FILE']).toContain(await codeOf(readApiKeys(path)));
    expect([undefined, 'INVALID_REGISTRY']).toContain(await codeOf(readSeasons(path)));
    const read = await codeOf(createFileSource(path).read(undefined));
    expect(read === undefined || String(read).startsWith('SyntaxError')).toBe(true);
    if (read !== undefined) continue;
    parsed += 1;
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const error = catchError(() => parseRegistryDocument(document, 'x', {}));
    expect([undefined, 'INVALID_REGISTRY']).toContain(error?.code);
    expect(() => parseTokenList(document, format)).not.toThrow();
  }
  expect(parsed).toBeGreaterThan(50);
});
