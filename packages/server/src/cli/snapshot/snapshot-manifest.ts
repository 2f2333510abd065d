import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CLUSTER_NAMES } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';

export const MANIFEST_NAME = 'manifest.json';
/** Increase it with every change that an older release cannot restore. */
export const SNAPSHOT_FORMAT = 1;

const SHA256 = /^[0-9a-f]{64}$/;
const Text = Type.String();
const NullableText = Type.Union([Text, Type.Null()]);

const ClusterContent = Type.Object({
  name: Text,
  /** The newest sample of the history; null if there is none. */
  slot: NullableText,
  blockTime: NullableText,
  /** What the history stores about its cluster. */
  origin: Type.Record(Text, Text),
  /** Migrations of the database that have run, in order. */
  migrations: Type.Array(Text),
});

/** `size` and `sha256` are absent for a folder. */
const Entry = Type.Object({
  path: Text,
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  sha256: Type.Optional(Type.String({ pattern: SHA256.source })),
});

const Manifest = Type.Object({
  format: Type.Integer(),
  /** Version of the package that saved it. */
  version: Text,
  savedAt: Text,
  hasApiKeys: Type.Boolean(),
  clusters: Type.Array(ClusterContent),
  entries: Type.Array(Entry),
});

const validator = Compile(Manifest);
const formatValidator = Compile(Type.Object({ format: Type.Integer() }));

export type SnapshotManifest = Static<typeof Manifest>;
export type SnapshotEntry = Static<typeof Entry>;
export type SnapshotCluster = Static<typeof ClusterContent>;

/** Parses and checks the manifest of a snapshot. Throws INVALID_SNAPSHOT. */
export function parseManifest(text: string, file: string): SnapshotManifest {
  const invalid = (reason: string) => new CodedError('INVALID_SNAPSHOT', { file, reason });
  const value = parseJson(text);
  if (formatValidator.Check(value) && value.format !== SNAPSHOT_FORMAT) {
    const reason = `it has format ${value.format}, and this release reads format ${SNAPSHOT_FORMAT}`;
    throw invalid(reason);
  }
  if (!validator.Check(value)) throw invalid('its manifest does not match the schema');
  const seen = new Set<string>();
  for (const { path, size, sha256 } of value.entries) {
    if (!isRestorable(path)) throw invalid(`the path ${JSON.stringify(path)} is not allowed`);
    if (seen.has(path)) throw invalid(`the path ${JSON.stringify(path)} is repeated`);
    if ((size === undefined) !== (sha256 === undefined)) throw invalid(`${path} has no checksum`);
    seen.add(path);
  }
  return value;
}

/** What a snapshot may contain, from the data folder. */
const RESTORABLE = [
  new RegExp(`^history/(${CLUSTER_NAMES.join('|')})/database(/|$)`),
  new RegExp(`^history(/(${CLUSTER_NAMES.join('|')}))?$`),
  /^localnet$/,
  /^localnet\/cluster\.(snapshot|journal|runs)$/,
  /^(seasons|keys)\.json$/,
];

/** Whether a path is a plain relative path to something that a snapshot may contain. */
function isRestorable(path: string): boolean {
  const parts = path.split('/');
  const isPlain = parts.every((part) => /^[\w.-]+$/.test(part) && part !== '.' && part !== '..');
  return isPlain && RESTORABLE.some((form) => form.test(path));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
