import { randomUUID } from 'node:crypto';
import type { Logger } from '@tidegate/core/base';
import { Compile } from 'typebox/compile';
import { ApiKeySchema } from '../http/auth/api-key-schema.ts';
import type { ApiKeyRecord } from '../http/auth/api-keys.ts';
import type { RedisConnection, RedisReply } from '../redis/redis-connection.ts';

const schema = Compile(ApiKeySchema);

/** Adds records. One that exists changes only from valid to revoked. Any change sets another version. */
const MERGE = `local isChanged = false
for i = 2, #ARGV do
  local added = cjson.decode(ARGV[i])
  local text = redis.call('HGET', KEYS[1], added.id)
  local isNew = not text
  if text then isNew = cjson.decode(text).revokedAt == cjson.null and added.revokedAt ~= cjson.null end
  if isNew then
    redis.call('HSET', KEYS[1], added.id, ARGV[i])
    isChanged = true
  end
end
if isChanged then redis.call('SET', KEYS[2], ARGV[1]) end
return 1`;

/** The API keys of a deployment in Redis, as salted hashes. They do not expire. */
export class RedisApiKeys {
  readonly #redis: RedisConnection;
  readonly #records: string;
  readonly #version: string;
  readonly #log: Logger;

  constructor(redis: RedisConnection, prefix: string, log: Logger) {
    this.#redis = redis;
    // the braces keep both keys together in a Redis cluster
    this.#records = `{${prefix}:api-keys}:records`;
    this.#version = `{${prefix}:api-keys}:version`;
    this.#log = log;
  }

  /** Changes with every change of a key; undefined if there are none. */
  async version(): Promise<string | undefined> {
    const reply = await this.#redis.send(['GET', this.#version]);
    return Buffer.isBuffer(reply) ? reply.toString() : undefined;
  }

  async read(): Promise<readonly ApiKeyRecord[]> {
    const reply = await this.#redis.send(['HVALS', this.#records]);
    const values: readonly RedisReply[] = Array.isArray(reply) ? reply : [];
    return values.flatMap((value) => this.#parse(String(value)));
  }

  async merge(records: readonly ApiKeyRecord[]): Promise<void> {
    if (records.length === 0) return;
    const values = records.map((record) => JSON.stringify(record));
    const keys = [this.#records, this.#version];
    await this.#redis.send(['EVAL', MERGE, '2', ...keys, randomUUID(), ...values]);
  }

  #parse(text: string): readonly ApiKeyRecord[] {
    try {
      const record: unknown = JSON.parse(text);
      if (schema.Check(record)) return [record];
    } catch {
      // reported below
    }
    this.#log.warn({}, 'an API key in Redis is malformed and is ignored');
    return [];
  }
}
