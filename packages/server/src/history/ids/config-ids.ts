import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { BoundedMap } from '../../caching/bounded-map.ts';
import { CodedError } from '../../errors.ts';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

export type ConfigTable = 'reserve_config';

/** A version of a subject's configuration. `subject` is an address id. */
export type ConfigVersion = { readonly subject: number; readonly bytes: Uint8Array };

type HashedVersion = ConfigVersion & { readonly key: string; readonly sha256: Buffer };

const MAX_CACHED = 100_000;

/** Ids of configuration versions. Configurations rarely change, so each version is stored once. */
export class ConfigIds {
  readonly #db: Kysely<HistoryTables>;
  readonly #table: ConfigTable;
  readonly #ids = new Map<string, number>();
  /** The last version of each subject. Most lookups repeat it, and comparing is faster than hashing. */
  readonly #last = new Map<number, { readonly bytes: Uint8Array; readonly id: number }>();

  constructor(db: Kysely<HistoryTables>, table: ConfigTable) {
    this.#db = db;
    this.#table = table;
  }

  /** Creates ids for versions that have none. */
  async getOrCreateIds(
    versions: readonly ConfigVersion[],
  ): Promise<(version: ConfigVersion) => number> {
    if (this.#ids.size > MAX_CACHED) this.#ids.clear();
    const unknown = new Map<string, HashedVersion>();
    const previous = new Map<number, Uint8Array>();
    for (const version of versions) {
      const { subject, bytes } = version;
      if (previous.get(subject) === bytes) continue;
      previous.set(subject, bytes);
      if (this.#find(version) !== undefined) continue;
      const hashed = withHash(version);
      unknown.set(hashed.key, hashed);
    }
    if (unknown.size > 0) await this.#insert([...unknown.values()]);
    return (version) => {
      const id = this.#find(version);
      if (id !== undefined) return id;
      throw new CodedError('NOT_FOUND', {
        what: 'configuration of address id',
        address: `${version.subject}`,
      });
    };
  }

  #find(version: ConfigVersion): number | undefined {
    const { subject, bytes } = version;
    const last = this.#last.get(subject);
    if (last?.bytes === bytes) return last.id;
    if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.id;
    const id = this.#ids.get(withHash(version).key);
    if (id !== undefined) this.#last.set(subject, { bytes, id });
    return id;
  }

  async #insert(versions: readonly HashedVersion[]): Promise<void> {
    const sorted = versions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const table = sql.table(this.#table);
    const subjects = `{${sorted.map(({ subject }) => subject).join(',')}}`;
    const hashes = `{${sorted.map(({ sha256 }) => toArrayElement(sha256)).join(',')}}`;
    const deflated = sorted.map(({ bytes }) => toArrayElement(deflateRawSync(bytes))).join(',');
    await sql`insert into ${table} (subject, sha256, deflated)
      select * from unnest(${subjects}::int4[], ${hashes}::bytea[], ${`{${deflated}}`}::bytea[])
      on conflict (subject, sha256) do nothing`.execute(this.#db);
    const { rows } = await sql<{ id: number; subject: number; sha256: Uint8Array }>`
      select id, subject, sha256 from ${table}
      where (subject, sha256) in (select * from unnest(${subjects}::int4[], ${hashes}::bytea[]))`.execute(
      this.#db,
    );
    for (const { id, subject, sha256 } of rows) this.#ids.set(keyOf(subject, sha256), id);
  }
}

function withHash(version: ConfigVersion): HashedVersion {
  const sha256 = createHash('sha256').update(version.bytes).digest();
  return { ...version, sha256, key: keyOf(version.subject, sha256) };
}

const keyOf = (subject: number, sha256: Uint8Array): string =>
  `${subject} ${Buffer.from(sha256).toString('hex')}`;

/** With the decoded configurations at most about 4 MB. */
const MAX_CACHED_CONFIGS = 128;

/** Of each database. Configurations never change. */
const cachedConfigs = new WeakMap<Kysely<HistoryTables>, BoundedMap<number, Uint8Array>>();

/** The bytes of versions by id. The same array each time, so that its decoded form can be cached by it. */
export async function readConfigs(
  db: Kysely<HistoryTables>,
  table: ConfigTable,
  ids: Iterable<number>,
): Promise<Map<number, Uint8Array>> {
  const cached =
    cachedConfigs.get(db) ?? new BoundedMap<number, Uint8Array>({ max: MAX_CACHED_CONFIGS });
  cachedConfigs.set(db, cached);
  const found = new Map<number, Uint8Array>();
  const missing: number[] = [];
  for (const id of new Set(ids)) {
    const bytes = cached.get(id);
    if (bytes === undefined) missing.push(id);
    else found.set(id, bytes);
  }
  for (const [id, bytes] of await selectConfigs(db, table, missing)) found.set(id, bytes);
  for (const [id, bytes] of found) cached.set(id, bytes);
  return found;
}

async function selectConfigs(
  db: Kysely<HistoryTables>,
  table: ConfigTable,
  ids: readonly number[],
): Promise<Map<number, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(table)
    .select(['id', 'deflated'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, deflated }) => [id, inflateRawSync(deflated)]));
}
